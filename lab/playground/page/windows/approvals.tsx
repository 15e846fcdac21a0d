import type { Zap } from '../../../zapier/zap/zap';
import type { Approval } from '../../service/approvals';
import { maxCell } from '../../service/other-records';
import { Icon } from '../elements/icon';
import { oneClick, swapPart } from '../elements/swap';
import { Clock } from '../elements/time';
import { Texts } from './texts';

const states = {
  waiting: { icon: 'circle-alert', text: 'Waits for your approval' },
  approved: { icon: 'circle-check', text: 'Approved' },
  declined: { icon: 'ban', text: 'Declined' },
} as const;

/** What a run waits for: a person may change each text before approving it. */
const Request = ({ zap, approval: { run, content } }: { zap: Zap; approval: Approval }) => (
  <form hx-post={`/windows/${zap.id}/approvals/${run}`} {...swapPart('windows')} {...oneClick.form}>
    {Object.entries(content).map(([name, text], at) => (
      <label for={`review-${run}-${at}`}>
        {name}
        <input type="hidden" name="name" value={name} />
        <textarea id={`review-${run}-${at}`} name="text" maxlength={maxCell} rows={1} dir="auto">
          {text}
        </textarea>
      </label>
    ))}
    <p class="buttons">
      <button type="submit" name="decision" value="approved" class="primary small">
        Approve
      </button>
      <button type="submit" name="decision" value="declined" class="outline small">
        Decline
      </button>
    </p>
  </form>
);

const Card = ({ zap, approval }: { zap: Zap; approval: Approval }) => {
  const { icon, text } = states[approval.decision ?? 'waiting'];
  return (
    <li id={`approval-${approval.run}`} class={approval.decision ? '' : 'asks'}>
      <p class="from">
        <Icon name={icon} />
        <strong>{text}</strong> <Clock at={approval.at} />
      </p>
      {approval.subject && (
        <p class="soft" dir="auto">
          {approval.subject}
        </p>
      )}
      {approval.decision ? (
        <Texts texts={Object.entries(approval.content)} />
      ) : (
        <Request zap={zap} approval={approval} />
      )}
    </li>
  );
};

/** What the Zap asks a person, and what somebody decided, newest first. */
export const Approvals = ({ zap, approvals }: { zap: Zap; approvals: readonly Approval[] }) => (
  <ol class="arrivals" aria-label="Approvals" aria-live="polite" aria-relevant="additions" tabindex={0}>
    {approvals.length === 0 && <li class="soft">Nothing waits for approval yet.</li>}
    {approvals.map((approval) => (
      <Card zap={zap} approval={approval} />
    ))}
  </ol>
);
