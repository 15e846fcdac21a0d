import { testRecipientField } from '../../../../src/message/recipient';
import { formVersion, isCurrent, type StepState } from '../../../zapier/editor/step-state';
import type { CheckedRule } from '../../../zapier/fields/rules';
import type { Problems } from '../../../zapier/fields/values';
import { kindOf, type Step } from '../../../zapier/kinds';
import type { Run } from '../../../zapier/runs/run';
import { isPath } from '../../../zapier/zap/paths';
import { asApp, hasRecord, hasRules, operationOf } from '../../../zapier/zap/steps';
import type { FieldPreview, MessagePreview } from '../../service/message-preview';
import { ChangeStep } from '../canvas/add-step';
import { cardTitle } from '../canvas/card';
import { StepIcon } from '../elements/app-icon';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { inTurn, oneClick, posts, swapZap } from '../elements/swap';
import type { ZapView } from '../elements/view';
import { FieldsForm } from './fields-form';
import { FormVersion } from './form-version';
import { LastRecords } from './last-records';
import { Mappings } from './mappings';
import { AboutRecords, OtherForm } from './other-form';
import { Result } from './result';
import { RulesForm } from './rules-form';
import { SetupForm } from './setup-form';
import { Continue, Onward, type Stage, Stages } from './stages';
import { StepMenu } from './step-menu';

interface PanelProps extends Pick<ZapView, 'zap' | 'index' | 'chosen'> {
  /** The part of the form that shows. The others keep what a person entered there. */
  stage: Stage;
  state: StepState;
  /** Whether no step of the Zap is incomplete. */
  isReady: boolean;
  problems: Problems;
  /** What the fields that map data would have, by key. */
  previews: Record<string, FieldPreview>;
  /** The message that the step would send, if it sends one. */
  message: MessagePreview | undefined;
  /** The rules with the data of the steps before. */
  checked: readonly CheckedRule[] | undefined;
  /** The values that the data of each rule can have. */
  ruleValues: readonly (readonly string[])[];
  /** The run whose result shows. */
  run?: Run | undefined;
}

interface OpenStepProps extends PanelProps {
  step: Step;
  address: string;
}

interface ActProps {
  address: string;
  action: 'test' | 'refresh';
  look: 'primary' | 'outline' | 'quiet';
  children: string;
}

const Act = ({ address, action, look, children }: ActProps) => (
  <Button id={`act-${action}`} class={look} {...posts(address, { action })} {...oneClick.button} {...swapZap}>
    {children}
  </Button>
);

const Fields = ({ step, ...props }: OpenStepProps) => {
  const { index, address, problems, previews } = props;
  const common = { address, problems, previews };
  if (hasRules(step)) return <RulesForm step={step} values={props.ruleValues} checked={props.checked} {...common} />;
  if (hasRecord(step)) return <OtherForm step={step} isTrigger={index === 0} {...common} />;
  return <FieldsForm step={step} index={index} {...common} />;
};

/** Whether the app may give other fields when it's asked again. */
const canRefresh = (step: Step): boolean => {
  const { fields = [], isPartial } = asApp(step)?.form ?? {};
  return isPartial === true || fields.some(({ altersDynamicFields }) => altersDynamicFields);
};

const Configure = (props: OpenStepProps) => {
  const { zap, index, step, address, isReady } = props;
  return (
    <>
      <div class="fields">
        <Fields {...props} />
        {index > 0 && <Mappings zap={zap} index={index} />}
      </div>
      <footer>
        {kindOf(step).isTestable ? (
          <Continue from="configure" leads={{ ...posts(address, { action: 'continue' }) }} />
        ) : (
          <Onward zap={zap} index={index} from="configure" isReady={isReady} />
        )}
        {canRefresh(step) && (
          <Act address={address} action="refresh" look="quiet">
            Refresh fields
          </Act>
        )}
      </footer>
    </>
  );
};

/** Whether a test ended with an error, which says nothing of a step that changed since. */
const hasFailed = ({ status }: Run): boolean => status === 'error' || status === 'halted';

interface RecipientProps {
  message: MessagePreview;
  /** Why nobody gets it. */
  problem: string | undefined;
}

/** Who gets the message of a step in a test. */
const Recipient = ({ message: { phone, tester, audience }, problem }: RecipientProps) => (
  <p class="soft">
    {audience !== undefined
      ? 'Test step sends nothing, and shows how many people the campaign has.'
      : problem
        ? `Test step sends nothing. ${problem}`
        : tester
          ? `Test step sends this message to ${tester}, from ${testRecipientField.label}.`
          : `Test step sends this message to the customer${phone && `, ${phone}`}. To test with your own phone, fill in ${testRecipientField.label}.`}
  </p>
);

/** What a test does of a step that sends no message. */
const AboutTest = ({ step, index }: { step: Step; index: number }) => {
  if (index === 0 && hasRecord(step)) return <AboutRecords app={step.app} />;
  return (
    <p class="soft">
      {index > 0 ? 'The test runs this step with the data of the steps before it.' : 'The test finds the last records.'}
    </p>
  );
};

const Test = (props: OpenStepProps) => {
  const { zap, index, step, address, run, chosen, state, isReady, message } = props;
  const isChanged = run !== undefined && run !== chosen && !isCurrent(run, step, zap.steps);
  return (
    <>
      <div class="fields">
        {message ? (
          <Recipient message={message} problem={props.previews[testRecipientField.key]?.problem} />
        ) : (
          !run && <AboutTest step={step} index={index} />
        )}
        {isChanged && <p class="soft">The step changed since its last run. Test it again.</p>}
        {run && !(isChanged && hasFailed(run)) && (
          <Result zap={zap} index={index} run={run} chosen={chosen} stage={props.stage} />
        )}
        {run && index === 0 && <LastRecords address={address} />}
      </div>
      <footer>
        <Act address={address} action="test" look={state.status === 'tested' ? 'outline' : 'primary'}>
          {run ? 'Test again' : 'Test step'}
        </Act>
        <Onward zap={zap} index={index} from="test" isReady={isReady} isSecondary={state.status !== 'tested'} />
      </footer>
    </>
  );
};

const Form = (props: OpenStepProps) => {
  const { index, step, address, stage, state, problems } = props;
  return (
    <form
      id="step"
      hx-post={address}
      hx-trigger="change, submit"
      hx-swap="none"
      {...inTurn}
      autocomplete="off"
      novalidate
    >
      <input type="hidden" name="at" value={index} />
      <input type="hidden" name="step" value={step.id} />
      <input type="hidden" name="fields-of" value={operationOf(step)} />
      <input type="hidden" name="stage" value={stage} />
      <FormVersion version={formVersion(step)} />
      {Object.keys(problems).map((key) => (
        <input type="hidden" name="refused" value={key} />
      ))}
      <Stages zap={props.zap} index={index} shown={stage} state={state} />
      <div class="stage" hidden={stage !== 'setup'}>
        <div class="fields">
          <SetupForm zap={props.zap} step={step} index={index} address={address} problem={problems.operation} />
        </div>
        <footer>
          <Continue from="setup" leads={{ ...posts(address, { action: 'reload', to: 'configure' }) }} />
        </footer>
      </div>
      <div class="stage" hidden={stage !== 'configure'}>
        <Configure {...props} />
      </div>
      {kindOf(step).isTestable && (
        <div class="stage" hidden={stage !== 'test'}>
          <Test {...props} />
        </div>
      )}
    </form>
  );
};

/** The open step: what can be done with it, and its form in parts. */
export const Panel = (props: PanelProps) => {
  const { zap, index } = props;
  const step = zap.steps[index];
  if (!step) return null;
  return (
    <section id="panel" class="panel" aria-labelledby="step-title" tabindex={-1}>
      <header>
        <StepIcon step={step} />
        <h2 id="step-title" dir="auto">
          <span class="visually-hidden">{index + 1}. </span>
          {index === 0 || isPath(step) ? (
            cardTitle(step)
          ) : (
            <ChangeStep zap={zap} at={index} id="change-step" look="quiet">
              {cardTitle(step)}
              <Icon name="chevron-down" />
            </ChangeStep>
          )}
        </h2>
        <StepMenu zap={zap} index={index} />
      </header>
      <Form {...props} step={step} address={`/zap/${zap.id}/${index}`} />
    </section>
  );
};
