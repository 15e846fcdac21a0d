import type { Choice } from '../../zapier/dropdown';
import { readable } from './readable';
import { swapZap } from './swap';

interface ChoicesProps {
  /** The address of the step's form. */
  address: string;
  field: string;
  search: string;
  page: number;
  choices: readonly Choice[];
  /** What the person reads instead of a name, by value. */
  texts?: ReadonlyMap<string, string>;
  /** Whether the field has a value, which the list can take away. */
  hasValue?: boolean;
  hasMore: boolean;
  problem?: string | undefined;
}

const Name = ({ isAlone, children }: { isAlone: boolean; children: string }) =>
  isAlone ? <span dir="auto">{children}</span> : <small dir="auto">{children}</small>;

const Options = ({ address, field, search, page, choices, texts, hasMore }: ChoicesProps) => (
  <>
    {choices.map(({ value, label }) => (
      <li>
        <button
          type="button"
          class="choice row"
          hx-post={address}
          hx-vals={JSON.stringify({ action: 'reload', pick: field, value, label })}
          {...swapZap}
        >
          {texts?.get(value) && <span dir="auto">{texts.get(value)}</span>}
          <Name isAlone={!texts?.get(value)}>{readable(label)}</Name>
        </button>
      </li>
    ))}
    {hasMore && (
      <li>
        <button
          type="button"
          class="secondary outline small"
          hx-post={`${address}/choices/${field}`}
          hx-vals={JSON.stringify({ search, page: page + 1, part: 'more' })}
          hx-target="closest li"
          hx-swap="outerHTML"
        >
          Load more
        </button>
      </li>
    )}
  </>
);

/** The list behind a dropdown, with its search. Further pages and searches replace only the options. */
export const Choices = (props: ChoicesProps & { part: string }) => {
  const { part, address, field, search, choices, hasValue, problem } = props;
  if (part === 'more') return <Options {...props} />;
  const list = (
    <ul id={`options-${field}`} class="options">
      {problem && <li class="problem">{problem}</li>}
      {!problem && choices.length === 0 && <li class="empty">Nothing found.</li>}
      <Options {...props} />
      {hasValue && search === '' && (
        <li>
          <button
            type="button"
            class="choice row"
            hx-post={address}
            hx-vals={JSON.stringify({ action: 'reload', pick: field, value: '', label: '' })}
            {...swapZap}
          >
            <em>No choice</em>
          </button>
        </li>
      )}
    </ul>
  );
  if (part === 'search') return list;
  return (
    <>
      <p class="segments">
        <button type="button" class="secondary outline small" aria-pressed="true">
          From the list
        </button>
        <button type="button" class="secondary outline small" aria-pressed="false" data-custom={`field-${field}`}>
          Custom value
        </button>
      </p>
      <input
        type="search"
        id={`search-${field}`}
        name="search"
        value={search}
        aria-label="Search the choices"
        placeholder="Search"
        autocomplete="off"
        data-focus
        hx-post={`${address}/choices/${field}`}
        hx-trigger="input changed delay:150ms"
        hx-vals={JSON.stringify({ part: 'search' })}
        hx-target={`#options-${field}`}
        hx-swap="outerHTML"
        hx-sync="this:replace"
      />
      {list}
    </>
  );
};
