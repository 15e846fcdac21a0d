import type { Child } from 'hono/jsx';
import { brand } from '../../../../src/brand';
import { kindOf, newStep, tools } from '../../../zapier/kinds';
import { transformLabels } from '../../../zapier/kinds/formatter';
import { fullZap, maxSteps, type Zap } from '../../../zapier/zap/zap';
import { otherAppsAt } from '../../service/other-apps';
import { definition } from '../../service/zapier';
import { AppIcon, ToolTile } from '../elements/app-icon';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { opens, postWithStep } from '../elements/swap';

/** What the lists of steps call a step of an app that they don't have. */
export const anotherApp = 'Another app';

interface AddStepProps {
  zap: Zap;
  /** The position that the new step gets. */
  at: number;
}

/** Loads the search for a step into its menu, and opens that. `place` says where the step goes. */
const opensSearch = ({ id }: Zap, place: string) => ({
  'hx-get': `/zap/${id}/additions?${place}`,
  'hx-target': '#additions',
  'hx-swap': 'innerHTML',
  ...opens('add-menu'),
});

/** Opens the search for a step to add at a position. A Zap that has as many as it can says so, and keeps only the wires. */
export const AddStep = ({ zap, at }: AddStepProps) => {
  const isLast = at === zap.steps.length;
  if (zap.steps.length >= maxSteps) {
    return isLast ? <p class="canvas-note">{fullZap}</p> : <span class="add full" />;
  }
  return (
    <Button
      id={isLast ? 'add-step' : `insert-step-${at}`}
      class={isLast ? 'add last' : 'add'}
      {...(!isLast && { 'aria-label': `Insert a step before step ${at + 1}` })}
      {...opensSearch(zap, `before=${at}`)}
    >
      <Icon name="plus" />
      {isLast && <span class="for-wide">Add a step</span>}
    </Button>
  );
};

/** Opens the same search, for what a step does instead. */
export const ChangeStep = ({
  zap,
  at,
  id,
  look,
  children,
}: AddStepProps & { id: string; look: string; children: Child }) => (
  <Button id={id} class={look} title="Change what this step does" {...opensSearch(zap, `instead=${at}`)}>
    {children}
  </Button>
);

/** Where the search for a step shows. */
export const AddMenu = () => (
  <section id="add-menu" class="menu" popover="auto" aria-label="What the step does">
    {/* It keeps what was chosen, which says then that the menu closes. */}
    <div id="additions" class="choices" hx-morph-skip />
  </section>
);

/** Where the chosen step goes: before a step, or instead of it. */
type Place = AddStepProps & { isChange: boolean };

interface AdditionProps extends Place {
  /** What the address calls it. */
  name: string;
  app: string;
  title: string;
  icon: Child;
  /** Another name by which people may look for it. */
  event?: string | undefined;
}

const Addition = ({ zap, at, isChange, name, app, title, icon, event }: AdditionProps) => (
  <li data-label={[app, title, event].filter(Boolean).join(' ')}>
    <Button
      id={`add-${name.replaceAll(/\W/g, '-')}`}
      class="choice row"
      data-closes
      data-shows="step"
      {...postWithStep(
        `/zap/${zap.id}/add?${new URLSearchParams({ [isChange ? 'instead' : 'before']: `${at}`, step: name })}`,
      )}
    >
      {icon}
      <span>{title}</span> {app !== brand.name && <small class="soft">{app}</small>}
    </Button>
  </li>
);

/** What Zapier calls the event of one of its tools, such as Request Approval. */
const eventOf = (type: string): string => {
  const step = newStep(type, '');
  return kindOf(step).named(step, definition).event;
};

/** Every step that can be added, with a search: the actions of the app, those of other apps, and Zapier's own tools. */
export const Additions = (place: Place) => (
  <>
    <input
      type="search"
      aria-label="Search the steps"
      placeholder="Search apps and actions"
      autocomplete="off"
      data-focus
    />
    <ul class="options">
      <li class="empty" hidden>
        Nothing found.
      </li>
      {definition.operations
        .filter(({ kind }) => kind !== 'triggers')
        .map(({ path, label }) => (
          <Addition {...place} name={path} app={brand.name} title={label} icon={<AppIcon app={brand.name} />} />
        ))}
      {otherAppsAt(1).map(({ app, event }, index) => (
        <Addition {...place} name={`example.${index}`} app={app} title={event} icon={<AppIcon app={app} />} />
      ))}
      {tools
        .filter(({ type }) => !place.isChange || type !== 'path')
        .map((tool) =>
          tool.type === 'formatter' ? (
            Object.entries(transformLabels).map(([transform, label]) => (
              <Addition
                {...place}
                name={`formatter.${transform}`}
                app={tool.title}
                title={label}
                icon={<ToolTile tool={tool} />}
              />
            ))
          ) : (
            <Addition
              {...place}
              name={tool.type}
              app="Zapier"
              title={tool.title}
              icon={<ToolTile tool={tool} />}
              event={eventOf(tool.type)}
            />
          ),
        )}
      <Addition {...place} name="other" app="Any other" title={anotherApp} icon={<AppIcon app="?" />} />
    </ul>
  </>
);
