import { brand } from '../../src/brand';
import type { Step } from '../../zapier/kinds';
import { Icon, type IconName, Logo, logos } from './icon';

const hues = 6;

const toolIcons: Readonly<Record<string, IconName>> = {
  filter: 'funnel',
  path: 'git-branch',
  delay: 'clock',
  formatter: 'wand-sparkles',
};

/** Always the same color for an app that has no logo. */
const hueOf = (app: string): number => [...app].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % hues;

const initialOf = (app: string): string => [...app][0]?.toUpperCase() ?? '';

const Tile = ({ look, children }: { look: string; children: unknown }) => (
  <span class={`tile ${look}`} aria-hidden="true">
    {children}
  </span>
);

/** The icon of an app: its logo, or its initial in a color of its own. */
export const AppIcon = ({ app }: { app: string }) => {
  const logo = logos[app];
  if (app === brand.name) {
    return (
      <Tile look="own">
        <Icon name="message-circle" />
      </Tile>
    );
  }
  return logo ? (
    <Tile look={`app-${logo}`}>
      <Logo name={logo} />
    </Tile>
  ) : (
    <Tile look={`hue-${hueOf(app)}`}>{initialOf(app)}</Tile>
  );
};

/** The icon of what a step does. */
export const StepIcon = ({ step }: { step: Step }) => {
  const tool = toolIcons[step.type];
  if (step.type === 'other') return <AppIcon app={step.app} />;
  if (!tool) return <AppIcon app={brand.name} />;
  return (
    <Tile look={`tool ${step.type}`}>
      <Icon name={tool} />
    </Tile>
  );
};
