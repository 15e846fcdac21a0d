import type { Operation } from '../../zapier/definition';
import type { Field } from '../../zapier/form';
import type { Entered } from '../../zapier/merge';
import type { Problems } from '../../zapier/problems';
import type { OwnStep } from '../../zapier/zap';
import { definition } from '../service/zapier';
import { FormField } from './form-field';

interface OwnFormProps {
  step: OwnStep;
  index: number;
  address: string;
  problems: Problems;
  /** What the form has for fields that another tab changed too. */
  conflicts: Entered;
  previews: Record<string, string>;
}

/** The fields by group, in the order of the form. Fields without a group are in one without a label. */
const groupFields = (
  { groups }: Operation,
  fields: readonly Field[],
): { label: string | undefined; fields: Field[] }[] => {
  const known = new Set(groups.map(({ key }) => key));
  const rest = fields.filter(({ group }) => !group || !known.has(group));
  const grouped = groups.map(({ key, label }) => ({ label, fields: fields.filter(({ group }) => group === key) }));
  return [{ label: undefined, fields: rest }, ...grouped].filter((each) => each.fields.length > 0);
};

/** The fields of a step of this app, by group. */
export const OwnForm = ({ step, ...props }: OwnFormProps) => {
  const operation = definition.find(step.operation);
  if (!operation) return null;
  return (
    <>
      <p class="description">{operation.description}</p>
      {groupFields(operation, step.form?.fields ?? []).map((group) => (
        <section class="group" aria-label={group.label ?? 'Fields'}>
          {group.label && <h4>{group.label}</h4>}
          {group.fields.map((field) => (
            <FormField
              field={field}
              value={step.values[field.key] ?? field.default ?? ''}
              chosen={step.labels[field.key]}
              problem={props.problems[field.key]}
              typed={props.conflicts[field.key]}
              canMap={props.index > 0}
              preview={props.previews[field.key]}
              address={props.address}
            />
          ))}
        </section>
      ))}
    </>
  );
};
