import { Button } from '../elements/button';
import { posts, swapZap } from '../elements/swap';

interface LastRecordsProps {
  /** The address of the step's form. */
  address: string;
  /** Newest first, each with the values that tell it from the others. */
  records: readonly string[];
  problem?: string | undefined;
}

/** The last records of a trigger, of which a person chooses the one that later steps show. */
export const RecordChoices = ({ address, records, problem }: LastRecordsProps) => (
  <>
    {problem && <p class="problem">{problem}</p>}
    {!problem && records.length === 0 && <p class="soft">There are no records yet.</p>}
    <ul aria-label="Last records">
      {records.map((label, at) => (
        <li>
          <Button
            id={`use-record-${at}`}
            class="row"
            {...posts(`${address}/records`, { record: at, stage: 'test' })}
            hx-disable="this"
            {...swapZap}
          >
            <span dir="auto">{label}</span>
          </Button>
        </li>
      ))}
    </ul>
  </>
);

/** Offers the last records of a trigger. They are read when a person asks for them. */
export const LastRecords = ({ address }: { address: string }) => (
  <div class="last-records">
    <Button
      id="last-records"
      class="outline small"
      hx-get={`${address}/records`}
      hx-target="#record-choices"
      hx-swap="innerHTML"
    >
      Choose another record
    </Button>
    <div id="record-choices" />
  </div>
);
