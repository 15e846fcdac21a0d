import { fingerprintsOf } from '../../zapier/editor/merge';
import type { Entered } from '../../zapier/fields/values';

/** What the form shows of each field, in short, so that only what a person changes is saved. */
export const Was = ({ entered }: { entered: Entered }) => (
  <div id="was" hidden>
    {Object.entries(fingerprintsOf(entered)).map(([key, fingerprint]) => (
      <input type="hidden" name={`was.${key}`} value={fingerprint} />
    ))}
  </div>
);
