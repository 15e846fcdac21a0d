import type { Child } from 'hono/jsx';
import type { Field } from '../../../zapier/fields/form';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { inTurn, reloadOnChange } from '../elements/swap';
import { FieldText } from './field-text';

interface DropdownProps {
  field: Field;
  value: string;
  /** What the list calls the value. Undefined for a custom value, and when nothing is chosen. */
  chosen: string | undefined;
  isInvalid: boolean;
  canMap: boolean;
  describedBy: string;
  /** The address that the form posts to. */
  address: string;
}

interface OpenListProps {
  id: string;
  field: Field;
  address: string;
  children: Child;
  [attribute: string]: unknown;
}

/** Opens the list below the control. */
const OpenList = ({ id, field, address, children, ...attributes }: OpenListProps) => (
  <Button
    id={id}
    aria-expanded="false"
    hx-post={`${address}/choices/${field.key}`}
    hx-target={`#choices-${field.key}`}
    hx-swap="innerHTML"
    data-opens={`choices-${field.key}`}
    {...inTurn}
    {...attributes}
  >
    {children}
  </Button>
);

/** One control for a choice: what is chosen, which opens the list, or a custom value. */
export const Dropdown = (props: DropdownProps) => {
  const { field, value, chosen, address, isInvalid } = props;
  const { key, label } = field;
  const isCustom = value !== '' && chosen === undefined;
  return (
    <div class={`dropdown${isCustom ? ' is-custom' : ''}`}>
      <OpenList
        id={`choose-${key}`}
        field={field}
        address={address}
        class="chosen"
        aria-labelledby={`label-${key} choose-${key}`}
        aria-describedby={props.describedBy}
        {...(isInvalid && { 'data-invalid': true })}
      >
        <span dir="auto">{chosen ?? 'Choose…'}</span>
        <Icon name="chevron-down" />
      </OpenList>
      <div class="custom-value">
        <FieldText
          id={`field-${key}`}
          name={`f.${key}`}
          value={value}
          label={`${label}, custom value`}
          canMap={props.canMap}
          isSingle
          isRequired={field.required}
          isInvalid={isInvalid}
          describedBy={props.describedBy}
          onChange={reloadOnChange(address)}
        />
        <OpenList
          id={`list-${key}`}
          field={field}
          address={address}
          class="outline"
          aria-label={`Choose ${label} from the list`}
        >
          List
        </OpenList>
      </div>
      <div id={`choices-${key}`} class="choices" data-return={`choose-${key}`} />
    </div>
  );
};
