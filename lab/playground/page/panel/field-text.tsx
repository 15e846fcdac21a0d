import { Button } from '../elements/button';
import { Icon } from '../elements/icon';

interface FieldTextProps {
  id: string;
  /** The name that the form posts it under. */
  name: string;
  value: string;
  /** What the text is called where no label belongs to it alone. */
  label: string;
  /** Whether earlier steps give data to map. */
  canMap: boolean;
  isMultiline?: boolean;
  /** Whether a mapped value replaces what is there. */
  isSingle?: boolean;
  isRequired?: boolean | undefined;
  isInvalid?: boolean;
  placeholder?: string | undefined;
  /** The ids of the parts that describe it. */
  describedBy?: string;
  /** Attributes of htmx. */
  onChange?: object;
}

/** Opens the data of earlier steps at the field with this id. By keyboard, the arrow down in the field does. */
const InsertData = ({ id, label }: { id: string; label: string }) => (
  <Button
    id={`insert-${id}`}
    class="insert quiet square"
    tabindex={-1}
    data-inserts={id}
    aria-label={`Insert data into ${label}`}
    aria-expanded="false"
  >
    <Icon name="plus" />
  </Button>
);

const PlainText = ({ isMultiline, isInvalid, isRequired, ...props }: FieldTextProps) => {
  const { id, name, value, placeholder, describedBy, onChange, label } = props;
  const common = {
    id,
    name,
    placeholder,
    dir: 'auto',
    'aria-label': label,
    'aria-describedby': describedBy,
    ...(isInvalid && { 'aria-invalid': 'true' }),
    ...(isRequired && { 'aria-required': 'true' }),
    ...onChange,
  };
  if (isMultiline) return <textarea {...common}>{value}</textarea>;
  return <input {...common} value={value} autocomplete="off" />;
};

/** The attributes of a custom element that are on. */
const flags = (states: Record<string, boolean | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(states).flatMap(([name, isOn]) => (isOn ? [[name, '']] : [])));

/** A text of a form. Where there is data to map, mapped values are pills, and the picker opens at the field. */
export const FieldText = (props: FieldTextProps) => {
  const { id, name, value, label, isMultiline, isSingle, isRequired, isInvalid } = props;
  if (!props.canMap) return <PlainText {...props} />;
  return (
    <div class="mappable">
      <mapped-text
        id={id}
        name={name}
        value={value}
        label={label}
        placeholder={props.placeholder}
        describedby={props.describedBy}
        {...flags({ multiline: isMultiline, single: isSingle, required: isRequired, invalid: isInvalid })}
        {...props.onChange}
      />
      <InsertData id={id} label={label} />
    </div>
  );
};
