import { templateNoteKey } from '../../../../src/message/template-fields';
import type { Operation } from '../../../zapier/core/definition';
import type { Field } from '../../../zapier/fields/form';
import type { Problems } from '../../../zapier/fields/values';
import { kindOf, type Step } from '../../../zapier/kinds';
import { asApp, operationOf } from '../../../zapier/zap/steps';
import { type FieldPreview, sendsMessage } from '../../service/message-preview';
import { definition } from '../../service/zapier';
import { FormField } from './form-field';

interface FieldsFormProps {
  step: Step;
  index: number;
  address: string;
  problems: Problems;
  previews: Record<string, FieldPreview>;
}

/** The fields by group, in the order of the form. Fields without a group are in one without a label. */
const groupFields = (
  groups: Operation['groups'],
  fields: readonly Field[],
): { label: string | undefined; emphasize?: boolean | undefined; fields: Field[] }[] => {
  const known = new Set(groups.map(({ key }) => key));
  const rest = fields.filter(({ group }) => !group || !known.has(group));
  const grouped = groups.map(({ key, ...each }) => ({ ...each, fields: fields.filter(({ group }) => group === key) }));
  return [{ label: undefined, fields: rest }, ...grouped].filter((each) => each.fields.length > 0);
};

/** Whether the phone shows what a note of the form says: the text of the message. */
const isInBubble = (step: Step, key: string): boolean => sendsMessage(step) && key.startsWith(templateNoteKey);

/** The fields of a step, by group. */
export const FieldsForm = ({ step, ...props }: FieldsFormProps) => {
  const { groups = [] } = definition.find(operationOf(step)) ?? {};
  const [kind, labels] = [kindOf(step), asApp(step)?.labels ?? {}];
  const entered = kind.entered(step);
  const fields = kind.fields(step).filter(({ key }) => !isInBubble(step, key));
  return (
    <>
      {kind.description && <p class="description">{kind.description}</p>}
      {groupFields(groups, fields).map((group) => (
        <section class={group.emphasize ? 'group emphasized' : 'group'} aria-label={group.label ?? 'Fields'}>
          {group.label && <h3>{group.label}</h3>}
          {group.fields.map((field) => (
            <FormField
              field={field}
              value={entered[field.key] ?? ''}
              chosen={labels[field.key]}
              problem={props.problems[field.key]}
              canMap={props.index > 0}
              preview={props.previews[field.key]}
              address={props.address}
            />
          ))}
        </section>
      ))}
      {!kind.isTestable && (
        <p>
          Each run waits at this step. While one does, <strong>Skip the wait</strong> below moves the clock forward.
        </p>
      )}
    </>
  );
};
