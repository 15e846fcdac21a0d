import { brand } from '../../../../src/brand';
import { kindOf, type Step } from '../../../zapier/kinds';
import { definition } from '../../service/zapier';
import { Logo, logos, OwnLogo, ToolIcon } from './icon';

const hues = 6;

/** Always the same color for an app that has no logo. */
const hueOf = (app: string): number => [...app].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % hues;

const initialOf = (app: string): string => [...app][0]?.toUpperCase() ?? '';

const Tile = ({ look, children }: { look: string; children: unknown }) => (
  <span class={`tile ${look}`} aria-hidden="true">
    {children}
  </span>
);

/** The icon of an app: its logo, or its colored initial. */
export const AppIcon = ({ app }: { app: string }) => {
  const logo = logos[app];
  if (app === brand.name) return <OwnLogo />;
  return logo ? (
    <Tile look={`app-${logo}`}>
      <Logo name={logo} />
    </Tile>
  ) : (
    <Tile look={`hue-${hueOf(app)}`}>{initialOf(app)}</Tile>
  );
};

/** The app of a step, as people call it. */
export const appOf = (step: Step): string => kindOf(step).named(step, definition).app ?? brand.name;

/** The icon of one of Zapier's own tools. */
export const ToolTile = ({ tool: { hue, icon } }: { tool: { hue: string; icon: string } }) => (
  <Tile look={`tool ${hue}`}>
    <ToolIcon name={icon} />
  </Tile>
);

/** The icon of what a step does. */
export const StepIcon = ({ step }: { step: Step }) => {
  const { tool } = kindOf(step);
  return tool ? <ToolTile tool={tool} /> : <AppIcon app={appOf(step)} />;
};
