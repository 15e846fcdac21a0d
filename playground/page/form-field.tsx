import type { Field, FieldValue } from '../../zapier/form';
import { Conflict } from './conflict';
import { Markdown } from './markdown';
import { Preview } from './preview';
import { Problem } from './problem';
import { inTurn, reloadOnChange, swapZap } from './swap';

interface FieldProps {
  field: Field;
  value: FieldValue;
  /** What the dropdown calls the value. */
  chosen: string | undefined;
  problem: string | undefined;
  /** What the person entered, when another tab changed the field too. */
  typed: FieldValue | undefined;
  /** Whether earlier steps give data to map. */
  canMap: boolean;
  /** What a field that maps data would have. */
  preview: string | undefined;
  /** The address that the form posts to. */
  address: string;
}

const textOf = (value: FieldValue): string => (typeof value === 'string' ? value : '');

const wordsForTimes = 'Zapier also takes words such as `tomorrow 9am`. The playground takes a date and time.';

const looks = (text: string): string => (text.includes('{{') ? 'mapped' : '');

const describe = ({ field, problem }: FieldProps): object => ({
  ...(problem ? { 'aria-invalid': 'true' } : {}),
  'aria-describedby': problem
    ? `problem-${field.key} preview-${field.key} help-${field.key}`
    : `preview-${field.key} help-${field.key}`,
  ...(field.required ? { 'aria-required': 'true' } : {}),
});

const Select = (props: FieldProps) => {
  const { field, value, address } = props;
  const text = textOf(value);
  const options = field.options ?? [];
  return (
    <select
      id={`field-${field.key}`}
      name={`f.${field.key}`}
      class={looks(text)}
      {...describe(props)}
      {...(field.altersDynamicFields ? reloadOnChange(address) : {})}
    >
      <option value="">Choose…</option>
      {text !== '' && !options.some((option) => option.value === text) && (
        <option value={text} selected>
          {text}
        </option>
      )}
      {options.map((option) => (
        <option value={option.value} selected={option.value === text}>
          {option.label}
        </option>
      ))}
    </select>
  );
};

const Checkboxes = ({ field, value }: FieldProps) => {
  const checked = typeof value === 'string' ? [value] : Object.values(value);
  return (
    <div>
      {(field.options ?? []).map((option) => (
        <label>
          <input
            type="checkbox"
            name={`l.${field.key}`}
            value={option.value}
            checked={checked.includes(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
};

/** Opens the data of earlier steps below the input with this id. */
const InsertData = ({ input, label, canMap }: { input: string; label: string; canMap: boolean }) =>
  canMap ? (
    <button
      type="button"
      id={`insert-${input}`}
      class="secondary outline"
      data-inserts={input}
      aria-label={`Insert data into ${label}`}
      aria-expanded="false"
    >
      +
    </button>
  ) : null;

const Rows = ({ field, value, address, canMap }: FieldProps) => {
  const items = typeof value === 'string' ? [value] : Object.values(value);
  return (
    <div>
      {[...items.filter(Boolean), ''].map((item, index) => (
        <div class="mappable">
          <input
            id={`field-${field.key}-${index}`}
            name={`l.${field.key}`}
            value={item}
            class={looks(item)}
            data-mappable
            dir="auto"
            aria-label={`${field.label}, item ${index + 1}`}
            autocomplete="off"
          />
          <InsertData
            input={`field-${field.key}-${index}`}
            label={`${field.label}, item ${index + 1}`}
            canMap={canMap}
          />
        </div>
      ))}
      <AddRow field={field} address={address} />
    </div>
  );
};

const AddRow = ({ field: { key, label }, address }: { field: Field; address: string }) => (
  <button
    type="button"
    id={`add-${key}`}
    class="secondary outline small"
    hx-post={address}
    hx-vals={JSON.stringify({ action: 'reload' })}
    {...swapZap}
    aria-label={`Add a row to ${label}`}
  >
    Add a row
  </button>
);

const Dictionary = ({ field, value, address, canMap }: FieldProps) => {
  const entries = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
  return (
    <div>
      {[...entries, ['', ''] as const].map(([key, item], index) => (
        <div class="pair">
          <input
            id={`field-${field.key}-key-${index}`}
            name={`k.${field.key}`}
            value={key}
            aria-label={`${field.label}, name ${index + 1}`}
            placeholder="Name"
            autocomplete="off"
          />
          <input
            id={`field-${field.key}-${index}`}
            name={`v.${field.key}`}
            value={item}
            class={looks(item)}
            data-mappable
            dir="auto"
            aria-label={`${field.label}, value ${index + 1}`}
            placeholder="Value"
            autocomplete="off"
          />
          <InsertData
            input={`field-${field.key}-${index}`}
            label={`${field.label}, value ${index + 1}`}
            canMap={canMap}
          />
        </div>
      ))}
      <AddRow field={field} address={address} />
    </div>
  );
};

const Dropdown = (props: FieldProps) => {
  const { field, value, address, chosen, canMap } = props;
  return (
    <>
      <div class="dropdown">
        {chosen && chosen !== value && (
          <span class="chosen" dir="auto">
            {chosen}
          </span>
        )}
        <Text {...props} />
        <button
          type="button"
          id={`choose-${field.key}`}
          class="secondary outline"
          aria-label={`Choose ${field.label}`}
          hx-post={`${address}/choices/${field.key}`}
          hx-target={`#choices-${field.key}`}
          hx-swap="innerHTML"
          {...inTurn}
        >
          Choose
        </button>
        <InsertData input={`field-${field.key}`} label={field.label} canMap={canMap} />
      </div>
      <div id={`choices-${field.key}`} class="choices" data-return={`field-${field.key}`} />
    </>
  );
};

const Text = (props: FieldProps) => {
  const { field, value, address } = props;
  const text = textOf(value);
  const common = {
    id: `field-${field.key}`,
    name: `f.${field.key}`,
    class: looks(text),
    placeholder: field.placeholder ?? (field.type === 'datetime' ? '2026-11-22 10:00' : undefined),
    dir: 'auto',
    'data-mappable': true,
    ...describe(props),
    ...(field.altersDynamicFields || field.isDropdown ? reloadOnChange(address) : {}),
  };
  if (field.type === 'text' || field.type === 'json') return <textarea {...common}>{text}</textarea>;
  return <input {...common} value={text} autocomplete="off" />;
};

const Input = (props: FieldProps) => {
  const { field } = props;
  if (field.dict) return <Dictionary {...props} />;
  if (field.list) return field.options ? <Checkboxes {...props} /> : <Rows {...props} />;
  if (field.options) return <Select {...props} />;
  if (field.isDropdown) return <Dropdown {...props} />;
  return (
    <div class="mappable">
      <Text {...props} />
      <InsertData input={`field-${field.key}`} label={field.label} canMap={props.canMap} />
    </div>
  );
};

/** A field as the editor shows it: label, required mark, input, help text, and what is wrong with the value. */
export const FormField = (props: FieldProps) => {
  const { field, problem } = props;
  if (field.type === 'copy') {
    return (
      <div class="note">
        <strong>{field.label}</strong>
        {field.helpText && <Markdown>{field.helpText}</Markdown>}
      </div>
    );
  }
  const isGroup = field.dict || field.list;
  const label = (
    <>
      {field.label}
      {field.required && <span class="required"> (required)</span>}
      <span class="from-step">from an earlier step</span>
    </>
  );
  return (
    <div class="field">
      <input type="hidden" name="shown" value={field.key} />
      {isGroup ? (
        <fieldset>
          <legend>{label}</legend>
          <Input {...props} />
        </fieldset>
      ) : (
        <>
          <label for={`field-${field.key}`}>{label}</label>
          <Input {...props} />
        </>
      )}
      <Preview field={field.key} text={props.preview} />
      <Problem id={field.key}>{problem}</Problem>
      <Conflict field={field.key} label={field.label} typed={props.typed} address={props.address} />
      <div id={`help-${field.key}`}>
        {field.helpText && <Markdown>{field.helpText}</Markdown>}
        {field.type === 'datetime' && <Markdown>{wordsForTimes}</Markdown>}
      </div>
    </div>
  );
};
