import { rowsOf, type ShownRow } from '../../../zapier/editor/record-rows';
import { readRecord } from '../../../zapier/fields/json-record';
import type { OtherStep } from '../../../zapier/kinds';
import { Button } from '../elements/button';
import { describeProblem, Problem } from '../elements/problem';
import { posts, reloadOnChange, swapZap } from '../elements/swap';

const added = { path: undefined, name: '', text: '', isGroup: false };

/** A browser leaves out a line break at the start of a field. */
const keepFirstBreak = (text: string): string => (text.startsWith('\n') ? `\n${text}` : text);

/** Names a row by where its value is, so that it stays the same when the rows above it change. */
const keyOf = ({ path }: ShownRow | typeof added): string =>
  path ? encodeURIComponent(JSON.stringify(path)) : 'added';

const Value = ({ row, index, address }: { row: ShownRow; index: number; address: string }) => {
  const { path, name, text, isGroup } = row;
  const key = keyOf(row);
  return (
    <div class="pair">
      <input type="hidden" name="record.row" value={JSON.stringify({ path })} />
      <input
        id={`record-name-${key}`}
        name="record.name"
        value={name}
        readonly={path !== undefined && path.length > 1}
        aria-label={`Name ${index + 1}`}
        placeholder="Name"
        autocomplete="off"
        dir="auto"
        {...reloadOnChange(address)}
      />
      <textarea
        id={`record-value-${key}`}
        name="record.value"
        rows={1}
        aria-label={path ? `Value of ${name}` : `Value ${index + 1}`}
        readonly={isGroup}
        placeholder={isGroup ? 'No values' : path ? 'Empty' : 'Value'}
        dir="auto"
        {...reloadOnChange(address)}
      >
        {keepFirstBreak(text)}
      </textarea>
    </div>
  );
};

const Table = ({ record, address }: { record: object; address: string }) => {
  const { rows, hasMore } = rowsOf(record);
  return (
    <>
      {[...rows, added].map((row, index) => (
        <Value row={row} index={index} address={address} />
      ))}
      {hasMore && (
        <p class="intro">This data has more than {rows.length} values. To see all of them, edit it as JSON.</p>
      )}
    </>
  );
};

interface RecordFieldProps {
  step: OtherStep;
  isTrigger: boolean;
  /** Whether a person edits it as JSON. */
  asJson: boolean;
  address: string;
  problem: string | undefined;
}

const Json = ({ step, isTrigger, address, problem }: RecordFieldProps) => (
  <textarea
    name="f.json"
    id="json"
    rows={isTrigger ? 12 : 6}
    spellcheck={false}
    aria-label="JSON"
    {...reloadOnChange(address)}
    {...describeProblem('json', problem)}
  >
    {keepFirstBreak(step.json)}
  </textarea>
);

/** The example of what a step of another app returns: names and values, or JSON. JSON with a problem has no table. */
export const RecordField = (props: RecordFieldProps) => {
  const { step, isTrigger, address, problem } = props;
  const { record } = readRecord(step.json);
  const asJson = props.asJson || !record;
  return (
    <section class="group record" aria-labelledby="record-title">
      <div class="record-heading">
        <h3 id="record-title">{isTrigger ? 'Data of the other app' : 'Data that the other app returns'}</h3>
        {record && (
          <Button
            id="record-as"
            class="outline small"
            {...posts(address, { action: 'reload', as: asJson ? 'table' : 'json' })}
            {...swapZap}
          >
            {asJson ? 'Edit as a table' : 'Edit as JSON'}
          </Button>
        )}
      </div>
      <p class="help">Later steps can map these values. Enter what the other app would return.</p>
      {asJson ? <Json {...props} /> : <Table record={record} address={address} />}
      <Problem id="json">{problem}</Problem>
    </section>
  );
};
