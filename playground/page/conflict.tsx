import { describeValue, type FieldValue } from '../../zapier/fields/form';
import { swapZap } from './swap';

interface ConflictProps {
  /** The key of the field. */
  field: string;
  label: string;
  /** What the person entered, when another tab changed the field too. */
  typed: FieldValue | undefined;
  /** The address that the form posts to. */
  address: string;
}

/** Says that another tab changed a field too. The field shows what the other tab entered. */
export const Conflict = ({ field, label, typed, address }: ConflictProps) => {
  if (typed === undefined) return null;
  return (
    <div class="conflict" role="alert">
      <p class="problem">Another tab changed {label} too, so your change isn't saved:</p>
      <p>
        <q dir="auto">{describeValue(typed)}</q>
      </p>
      {typeof typed === 'string' && (
        <button
          type="button"
          id={`use-mine-${field}`}
          class="outline small"
          hx-post={address}
          hx-vals={JSON.stringify({ action: 'reload', pick: field, value: typed })}
          data-resets
          {...swapZap}
        >
          Use mine
        </button>
      )}
    </div>
  );
};
