import type { Zap } from '../../../zapier/zap/zap';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { oneClick, opens, showZap, swapZap } from '../elements/swap';
import type { ZapView } from '../elements/view';
import { Restore } from './versions';

const Rename = ({ zap }: { zap: Zap }) => (
  <form
    class="rename"
    hx-post={`/zap/${zap.id}/rename`}
    hx-include="#step [name=at], #step [name=stage]"
    data-closes
    {...oneClick.form}
    {...swapZap}
  >
    <label for="zap-name">Name of the Zap</label>
    <div class="pair">
      <input name="title" id="zap-name" value={zap.title} maxlength={120} required autocomplete="off" dir="auto" />
      <button type="submit" id="rename" class="outline">
        Rename
      </button>
    </div>
  </form>
);

const Other = ({ zap, isShown }: { zap: Zap; isShown: boolean }) => (
  <li>
    <Button
      id={`zap-${zap.id}`}
      class="row"
      aria-current={isShown ? 'true' : 'false'}
      hx-get={`/zap?zap=${zap.id}`}
      data-closes
      {...showZap}
    >
      <span class="name" dir="auto">
        {zap.title}
      </span>
      {zap.isOn && <span class="pill on">On</span>}
    </Button>
  </li>
);

const Deleted = ({ zaps }: { zaps: readonly Zap[] }) =>
  zaps.length === 0 ? null : (
    <details id="deleted-zaps">
      <summary>Deleted Zaps ({zaps.length})</summary>
      <ul>
        {zaps.map((zap) => (
          <li class="deleted">
            <span class="name" dir="auto">
              {zap.title}
            </span>
            <Restore zap={zap} id={`restore-${zap.id}`}>
              Restore
            </Restore>
          </li>
        ))}
      </ul>
    </details>
  );

/** The Zap's name. Opens the list of Zaps, and renames this one. */
export const ZapsMenu = ({ zap, zaps, deletedZaps }: Pick<ZapView, 'zap' | 'zaps' | 'deletedZaps'>) => (
  <>
    <h1 class="zap-title">
      <Button id="open-zaps" class="quiet" title={zap.title} {...opens('zaps')}>
        <span id="zap-title" dir="auto">
          {zap.title}
        </span>
        <Icon name="chevron-down" />
      </Button>
    </h1>
    <section id="zaps" class="menu zaps" popover="auto" aria-label="Your Zaps">
      <Rename zap={zap} />
      <ul class="list" aria-label="Zaps">
        {zaps.map((each) => (
          <Other zap={each} isShown={each.id === zap.id} />
        ))}
      </ul>
      <Button
        id="new-zap"
        class="row"
        hx-post="/zap/new"
        data-closes
        data-shows="step"
        {...oneClick.button}
        {...showZap}
      >
        <Icon name="plus" />
        New Zap
      </Button>
      <Deleted zaps={deletedZaps} />
    </section>
  </>
);
