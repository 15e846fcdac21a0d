import { type CheckedRule, conditions, type Rule, takesText } from '../../../zapier/fields/rules';
import type { Problems } from '../../../zapier/fields/values';
import { kindOf, type RulesStep } from '../../../zapier/kinds';
import { Button } from '../elements/button';
import { Problem } from '../elements/problem';
import { oneClick, posts, reloadOnChange, swapZap } from '../elements/swap';
import { FieldText } from './field-text';

interface RulesFormProps {
  step: RulesStep;
  /** The values that the data of each rule can have. */
  values: readonly (readonly string[])[];
  address: string;
  problems: Problems;
  /** The rules with the data of the steps before. Undefined while one of them isn't filled in. */
  checked: readonly CheckedRule[] | undefined;
}

type Common = Pick<RulesFormProps, 'address' | 'problems' | 'values'>;

interface TextProps extends Common {
  part: 'value' | 'text';
  title: string;
  text: string;
  at: number;
}

const Text = ({ part, title, text, at, address, problems }: TextProps) => {
  const key = `${part}-${at}`;
  return (
    <div>
      <FieldText
        id={`field-${key}`}
        name={`f.${key}`}
        value={text}
        label={`${title} of rule ${at + 1}`}
        canMap
        isInvalid={problems[key] !== undefined}
        placeholder={title}
        describedBy={`problem-${key}`}
        onChange={reloadOnChange(address)}
      />
      <Problem id={key}>{problems[key]}</Problem>
    </div>
  );
};

interface RuleProps extends Common {
  rule: Rule;
  at: number;
}

const ConditionSelect = ({ rule, at, address }: RuleProps) => {
  const [key, title] = [`condition-${at}`, `Condition of rule ${at + 1}`];
  return (
    <div>
      <select name={`f.${key}`} id={key} aria-label={title} {...reloadOnChange(address)}>
        {conditions.map((each) => (
          <option value={each} selected={each === rule.condition}>
            {each}
          </option>
        ))}
      </select>
    </div>
  );
};

/** The values that the data can have, to choose one. */
const Values = ({ rule, at, address, values }: RuleProps) => {
  const own = values[at] ?? [];
  return own.length === 0 ? null : (
    <p class="buttons">
      {own.map((value) => (
        <Button
          id={`value-${at}-${value}`}
          class="chip"
          aria-pressed={value === rule.text ? 'true' : 'false'}
          {...posts(address, { action: 'reload', pick: `text-${at}`, value, label: value })}
          {...swapZap}
        >
          {value}
        </Button>
      ))}
    </p>
  );
};

const RuleRow = ({ rule, at, ...common }: RuleProps) => (
  <fieldset class="rule">
    <legend>{at === 0 ? 'Only continue if' : 'And'}</legend>
    <Text part="value" title="Data to check" text={rule.value} at={at} {...common} />
    <ConditionSelect rule={rule} at={at} {...common} />
    {takesText(rule.condition) ? (
      <div class="with-choices">
        <Text part="text" title="Text to compare with" text={rule.text} at={at} {...common} />
        <Values rule={rule} at={at} {...common} />
      </div>
    ) : (
      <input type="hidden" name={`f.text-${at}`} value={rule.text} />
    )}
    <Button
      id={`remove-rule-${at}`}
      class="quiet"
      aria-label={`Remove rule ${at + 1}`}
      {...posts(common.address, { action: 'reload', 'remove-rule': at })}
      {...oneClick.button}
      {...swapZap}
    >
      Remove rule
    </Button>
  </fieldset>
);

const outcomes = {
  filter: { passes: 'Would continue', stops: 'Would stop' },
  path: { passes: 'Would take this path', stops: 'Would skip this path' },
};

/** What the step would do with the data of the steps before. */
const Outcome = ({ step, checked }: { step: RulesStep; checked: readonly CheckedRule[] }) => {
  const { passes, stops } = outcomes[step.type];
  const failing = checked.filter(({ passes }) => !passes);
  const shown = failing.length > 0 ? failing : checked;
  return (
    <p id="would" class={`would ${failing.length > 0 ? 'stops' : 'passes'}`} role="status">
      <strong>{failing.length === 0 ? passes : stops}</strong>
      {shown.length > 0 && (
        <>
          : <span dir="auto">{shown.map(({ compared }) => compared).join(' and ')}</span>
        </>
      )}
      .
    </p>
  );
};

/** The rules of a filter or a path. All of them have to match. */
export const RulesForm = ({ step, checked, ...common }: RulesFormProps) => (
  <>
    {kindOf(step).description && <p class="description">{kindOf(step).description}</p>}
    {step.rules.map((rule, at) => (
      <RuleRow rule={rule} at={at} {...common} />
    ))}
    <Button
      id="add-rule"
      class="outline small"
      {...posts(common.address, { action: 'reload', 'add-rule': 1 })}
      {...oneClick.button}
      {...swapZap}
    >
      {step.rules.length === 0 ? 'Add rule' : 'Add rule (and)'}
    </Button>
    {checked && <Outcome step={step} checked={checked} />}
  </>
);
