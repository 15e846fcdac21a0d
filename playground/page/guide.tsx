import type { Zap } from '../zaps/zap';
import { firstMessage, quickCustomers } from './quick-customers';
import { oneClick, swapPart } from './swap';

const [firstCustomer] = quickCustomers;

/** What to click first, until a Zap has run. */
export const Guide = ({ zap }: { zap: Zap }) => (
  <section class="guide" aria-labelledby="guide-title">
    <h3 id="guide-title">Try it in a minute</h3>
    <ol class="guide-steps">
      <li class={zap.isOn ? 'done' : ''}>
        Click <strong>Turn on</strong> below. This Zap sends the delivery time to customers who write about a parcel.
      </li>
      <li>
        <form hx-post="/phones" {...swapPart('phones')} {...oneClick.form}>
          <input type="hidden" name="from" value={firstCustomer.phone} />
          <input type="hidden" name="text" value={firstMessage} />
          <button type="submit" id="first-message" class="secondary outline small">
            Write as a customer
          </button>{' '}
          "{firstMessage}"
        </form>
      </li>
      <li>Watch the reply reach the phone on the left, and the run in Activity. Then load a recipe.</li>
    </ol>
  </section>
);
