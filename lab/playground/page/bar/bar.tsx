import { hasDraft } from '../../../zapier/zap/versions';
import type { Zap } from '../../../zapier/zap/zap';
import { Button } from '../elements/button';
import { Icon, OwnLogo } from '../elements/icon';
import { Menu, MenuItem } from '../elements/menu';
import { opens, postWithStep, refresh, swapZap } from '../elements/swap';
import type { ZapView } from '../elements/view';
import { Undo } from './versions';
import { ZapsMenu } from './zaps-menu';

const draft = 'The Zap runs its published version until you publish your changes.';

/** Whether the Zap is on, and whether it runs other steps than the editor shows. */
const Pills = ({ zap }: { zap: Zap }) => (
  <>
    <span class={zap.isOn ? 'pill on' : 'pill'}>{zap.isOn ? 'On' : 'Off'}</span>
    {hasDraft(zap) && (
      <span class="pill draft" title={draft}>
        Draft <span class="visually-hidden">{draft}</span>
      </span>
    )}
  </>
);

/** What makes the Zap run as the editor shows it. */
const Primary = ({ zap }: { zap: Zap }) => {
  if (hasDraft(zap)) {
    return (
      <Button id="publish" class="primary" {...postWithStep(`/zap/${zap.id}/publish`)}>
        Publish
      </Button>
    );
  }
  return (
    <Button
      id="switch"
      class={zap.isOn ? 'outline' : 'primary'}
      {...postWithStep(`/zap/${zap.id}/${zap.isOn ? 'off' : 'on'}`)}
    >
      {zap.isOn ? 'Turn off' : 'Turn on'}
    </Button>
  );
};

/** What a person does rarely with a Zap, or with the whole playground. */
const ZapMenu = ({ zap }: { zap: Zap }) => (
  <Menu id="zap-menu" label="More">
    <MenuItem id="menu-recipes" icon="layout-grid" class="row for-narrow" data-stands-for="open-recipes">
      Recipes
    </MenuItem>
    <MenuItem id="menu-simulate" icon="flask-conical" class="row for-narrow" data-stands-for="open-simulate">
      Simulate
    </MenuItem>
    {hasDraft(zap) && (
      <MenuItem id="turn-off" icon="power" {...postWithStep(`/zap/${zap.id}/off`)}>
        Turn off
      </MenuItem>
    )}
    <MenuItem id="copy-guide" icon="book-open" hx-get={`/guide/${zap.id}`} hx-target="#sheet" hx-swap="innerHTML">
      Copy as a guide
    </MenuItem>
    <MenuItem id="duplicate" icon="copy" {...postWithStep(`/zap/${zap.id}/duplicate`)}>
      Duplicate
    </MenuItem>
    <MenuItem id="delete" icon="trash-2" {...postWithStep(`/zap/${zap.id}/delete`)}>
      Delete
    </MenuItem>
    <MenuItem id="show-tour" icon="eye" data-shows="zap" hx-get="/tour/zap" {...swapZap}>
      Show the tour
    </MenuItem>
    <MenuItem id="start-over" icon="rotate-ccw" hx-get="/start-over" hx-target="#sheet" hx-swap="innerHTML">
      Start over
    </MenuItem>
  </Menu>
);

/** The Zap's name, whether it's on, and what can be done with all of it. Changes with every run and in other tabs. */
export const Bar = ({ zap, zaps, deletedZaps, versions, index, chosen }: ZapView) => {
  const shown = new URLSearchParams({ step: `${index}`, ...(chosen && { run: chosen.id }) });
  return (
    <header id="bar" class="bar" {...refresh(`/zap/${zap.id}/runs?${shown}`, 'runs')}>
      <OwnLogo />
      <ZapsMenu zap={zap} zaps={zaps} deletedZaps={deletedZaps} />
      <Pills zap={zap} />
      <span class="space" />
      <Undo zap={zap} versions={versions} />
      <Button id="open-recipes" class="quiet" hx-get="/recipes" hx-target="#sheet" hx-swap="innerHTML">
        <Icon name="layout-grid" />
        <span class="for-wide">Recipes</span>
      </Button>
      <Button id="open-simulate" class="quiet" {...opens('simulate-controls')}>
        <Icon name="flask-conical" />
        <span class="for-wide">Simulate</span>
      </Button>
      <ZapMenu zap={zap} />
      <Primary zap={zap} />
    </header>
  );
};
