import type { Field, FieldValue } from '../../../zapier/fields/form';
import type { FieldPreview } from '../../service/message-preview';
import { Button } from '../elements/button';
import { Markdown } from '../elements/markdown';
import { Problem } from '../elements/problem';
import { readable } from '../elements/readable';
import { posts, reloadOnChange, swapZap } from '../elements/swap';
import { Dropdown } from './dropdown';
import { FieldText } from './field-text';
import { Preview } from './preview';

interface FieldProps {
  field: Field;
  value: FieldValue;
  /** What the dropdown calls the value. */
  chosen: string | undefined;
  problem: string | undefined;
  /** Whether earlier steps give data to map. */
  canMap: boolean;
  /** What a field that maps data would have. */
  preview: FieldPreview | undefined;
  /** The address that the form posts to. */
  address: string;
}

const textOf = (value: FieldValue): string => (typeof value === 'string' ? value : '');

const itemsOf = (value: FieldValue): string[] => (typeof value === 'string' ? [value] : Object.values(value));

const wordsForTimes =
  'Zapier also accepts words such as `tomorrow 9am`, but the playground only accepts a date and time.';

const titleOf = ({ label, required }: Field): string => (required ? `${label} required` : label);

const describe = ({ field: { key }, problem, preview }: FieldProps): string =>
  `${problem && problem !== preview?.problem ? `problem-${key} ` : ''}preview-${key} help-${key}`;

const Checkboxes = ({ field, value }: FieldProps) => {
  const checked = itemsOf(value);
  return (
    <div class="checkboxes">
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

const AddRow = ({ field: { key, label }, address }: { field: Field; address: string }) => (
  <Button
    id={`add-${key}`}
    class="outline small"
    {...posts(address, { action: 'reload' })}
    {...swapZap}
    aria-label={`Add a row to ${label}`}
  >
    Add a row
  </Button>
);

const Rows = ({ field, value, address, canMap }: FieldProps) => (
  <div>
    {[...itemsOf(value).filter(Boolean), ''].map((item, index) => (
      <FieldText
        id={`field-${field.key}-${index}`}
        name={`l.${field.key}`}
        value={item}
        label={`${field.label}, item ${index + 1}`}
        canMap={canMap}
      />
    ))}
    <AddRow field={field} address={address} />
  </div>
);

const Dictionary = ({ field, value, address, canMap, problem }: FieldProps) => {
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
          <FieldText
            id={`field-${field.key}-${index}`}
            name={`v.${field.key}`}
            value={item}
            label={`${field.label}, value ${index + 1}`}
            canMap={canMap}
            isInvalid={problem !== undefined && key !== '' && item.trim() === ''}
            placeholder="Value"
          />
        </div>
      ))}
      <AddRow field={field} address={address} />
    </div>
  );
};

const Text = (props: FieldProps) => {
  const { field, value, address, canMap, problem } = props;
  return (
    <FieldText
      id={`field-${field.key}`}
      name={`f.${field.key}`}
      value={textOf(value)}
      label={titleOf(field)}
      canMap={canMap}
      isMultiline={field.type === 'text' || field.type === 'json'}
      isRequired={field.required}
      isInvalid={problem !== undefined}
      placeholder={field.placeholder ?? (field.type === 'datetime' ? '2026-11-22 10:00' : undefined)}
      describedBy={describe(props)}
      {...(field.altersDynamicFields && { onChange: reloadOnChange(address) })}
    />
  );
};

const Choice = (props: FieldProps) => {
  const { field, canMap, address, problem } = props;
  const value = textOf(props.value);
  const listed = field.options?.find((option) => option.value === value)?.label;
  // What the list doesn't have is called by its value.
  const named = props.chosen === value ? undefined : props.chosen && readable(props.chosen);
  return (
    <Dropdown
      field={field}
      value={value}
      chosen={value === '' ? undefined : (listed ?? named)}
      isInvalid={problem !== undefined}
      canMap={canMap}
      describedBy={describe(props)}
      address={address}
    />
  );
};

const isChoice = ({ list, dict, options, isDropdown }: Field): boolean =>
  !list && !dict && (options !== undefined || isDropdown);

const Input = (props: FieldProps) => {
  const { field } = props;
  if (field.dict) return <Dictionary {...props} />;
  if (field.list) return field.options ? <Checkboxes {...props} /> : <Rows {...props} />;
  return isChoice(field) ? <Choice {...props} /> : <Text {...props} />;
};

/** A field as the editor shows it: label, required mark, input, help text, and what is wrong with the value. */
export const FormField = (given: FieldProps) => {
  const { field } = given;
  const problem = given.problem ?? given.preview?.problem;
  // What the form names below the field, its preview doesn't repeat.
  const isShownBelow = given.problem !== undefined && given.problem === given.preview?.problem;
  const props = { ...given, preview: isShownBelow ? undefined : given.preview, problem };
  const { key } = field;
  if (field.type === 'copy') {
    return (
      <div class="note">
        <strong>{field.label}</strong>
        {field.helpText && <Markdown>{field.helpText}</Markdown>}
      </div>
    );
  }
  const label = (
    <>
      {field.label}
      {field.required && (
        <>
          {' '}
          <span class="required">required</span>
        </>
      )}
    </>
  );
  return (
    <div class="field">
      <input type="hidden" name="shown" value={key} />
      {field.dict || field.list ? (
        <fieldset>
          <legend>{label}</legend>
          <Input {...props} />
        </fieldset>
      ) : (
        <>
          <label id={`label-${key}`} for={isChoice(field) ? `choose-${key}` : `field-${key}`}>
            {label}
          </label>
          <Input {...props} />
        </>
      )}
      <Problem id={key}>{problem === props.preview?.problem ? undefined : problem}</Problem>
      <div class="below">
        <Preview field={key} preview={props.preview} />
        <div id={`help-${key}`}>
          {field.helpText && <Markdown>{field.helpText}</Markdown>}
          {field.type === 'datetime' && <Markdown>{wordsForTimes}</Markdown>}
        </div>
      </div>
    </div>
  );
};
