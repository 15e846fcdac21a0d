import type { Zap } from '../../../zapier/zap/zap';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { Rename } from '../elements/menu';
import { oneClick, opens, swapZap } from '../elements/swap';
import type { ZapView } from '../elements/view';
import { Restore } from './versions';

const Other = ({ zap, isShown }: { zap: Zap; isShown: boolean }) => (
  <li>
    <Button
      id={`zap-${zap.id}`}
      class="row"
      aria-current={isShown ? 'true' : 'false'}
      hx-get={`/zap?zap=${zap.id}`}
      data-closes
      {...swapZap}
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
      <Rename
        id="zap-name"
        label="Name of the Zap"
        name="title"
        value={zap.title}
        isRequired
        button="Rename"
        hx-post={`/zap/${zap.id}/rename`}
        hx-include="#step [name=at], #step [name=stage]"
      />
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
        {...swapZap}
      >
        <Icon name="plus" />
        New Zap
      </Button>
      <Deleted zaps={deletedZaps} />
    </section>
  </>
);
