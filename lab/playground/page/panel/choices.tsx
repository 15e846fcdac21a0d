import type { Choice } from '../../../zapier/editor/dropdown';
import { Button } from '../elements/button';
import { readable } from '../elements/readable';
import { posts, swapZap } from '../elements/swap';

interface ChoicesProps {
  /** The address of the step's form. */
  address: string;
  field: string;
  /** Where the page starts. Missing on the first page. */
  from?: string | undefined;
  choices: readonly Choice[];
  /** Whether the field has a value, which the list can take away. */
  hasValue?: boolean;
  /** Where the next page starts. Missing on the last page. */
  next?: string | undefined;
  problem?: string | undefined;
}

const Options = ({ address, field, choices, next }: ChoicesProps) => (
  <>
    {choices.map(({ value, label }) => (
      <li data-label={`${readable(label)} ${label}`}>
        <Button class="choice row" {...posts(address, { action: 'reload', pick: field, value, label })} {...swapZap}>
          <span dir="auto">{readable(label)}</span>
        </Button>
      </li>
    ))}
    {next !== undefined && (
      <li>
        <Button
          class="outline small"
          {...posts(`${address}/choices/${field}`, { from: next })}
          hx-target="closest li"
          hx-swap="outerHTML"
        >
          Load more
        </Button>
      </li>
    )}
  </>
);

/** The list behind a dropdown, with a search of the choices that it shows. Further pages are only their options. */
export const Choices = (props: ChoicesProps) => {
  const { address, field, from, choices, hasValue, problem } = props;
  if (from !== undefined) return <Options {...props} />;
  return (
    <>
      <p class="segments buttons">
        <Button class="outline small" aria-pressed="true">
          From the list
        </Button>
        <Button class="outline small" aria-pressed="false" data-custom={`field-${field}`}>
          Custom value
        </Button>
      </p>
      <input
        type="search"
        id={`search-${field}`}
        aria-label="Search the choices"
        placeholder="Search"
        autocomplete="off"
        data-focus
      />
      <ul id={`options-${field}`} class="options">
        {problem && <li class="problem">{problem}</li>}
        <li class="empty" hidden={problem !== undefined || choices.length > 0}>
          Nothing found.
        </li>
        <Options {...props} />
        {hasValue && (
          <li data-label="No choice">
            <Button
              class="choice row"
              {...posts(address, { action: 'reload', pick: field, value: '', label: '' })}
              {...swapZap}
            >
              <em>No choice</em>
            </Button>
          </li>
        )}
      </ul>
    </>
  );
};
