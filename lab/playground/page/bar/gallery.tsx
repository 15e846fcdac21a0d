import { capitalize } from '../../../../src/api/labels';
import { recipes } from '../../../recipes';
import { describeTasks, groups, type Recipe, stepsOf } from '../../../recipes/recipe';
import { kindOf } from '../../../zapier/kinds';
import { AppIcon, appOf } from '../elements/app-icon';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { Sheet } from '../elements/sheet';
import { oneClick, posts, swapZap } from '../elements/swap';

/** The apps of a recipe in the order of its steps. */
const appsOf = (recipe: Recipe): string[] => [
  ...new Set(stepsOf(recipe).flatMap((step) => (kindOf(step).tool ? [] : appOf(step)))),
];

const Card = ({ recipe, index }: { recipe: Recipe; index: number }) => (
  <li
    class="card"
    data-group={recipe.group}
    data-label={[recipe.name, recipe.group, recipe.line, recipe.description, ...appsOf(recipe)].join(' ')}
  >
    <Button
      id={`recipe-${index}`}
      class="recipe"
      aria-label={`Load ${recipe.name}`}
      aria-describedby={`about-recipe-${index}`}
      {...posts('/zap/recipe', { recipe: index })}
      data-closes-sheet
      data-shows="zap"
      {...oneClick.button}
      {...swapZap}
    >
      <span class="apps buttons">
        {appsOf(recipe).map((app) => (
          <AppIcon app={app} />
        ))}
      </span>
      <strong>{recipe.name}</strong>
      <span id={`about-recipe-${index}`} class="about">
        {recipe.line}
        <span class="tasks">{capitalize(describeTasks(recipe))} a run</span>
        <span class="visually-hidden"> With {appsOf(recipe).join(', ')}.</span>
      </span>
    </Button>
  </li>
);

const Search = () => (
  <>
    <p class="soft">{recipes.length} ready-made Zaps. Choose one, change it, and turn it on.</p>
    <label class="search">
      <Icon name="search" />
      <input
        type="search"
        id="search-recipes"
        aria-label="Search the recipes"
        placeholder="Search"
        autocomplete="off"
      />
    </label>
  </>
);

/** Every recipe with its apps and what it does, with a search. */
export const Gallery = () => (
  <Sheet title="Recipes" beside={<Search />}>
    <fieldset class="groups buttons">
      <legend class="visually-hidden">Groups</legend>
      {['All', ...groups].map((label) => (
        <Button class="chip" data-shows-group={label} aria-pressed={label === 'All' ? 'true' : 'false'}>
          {label}
        </Button>
      ))}
    </fieldset>
    <ul class="gallery" aria-label="Recipes">
      {recipes.map((recipe, index) => (
        <Card recipe={recipe} index={index} />
      ))}
    </ul>
    <p id="no-recipes" class="soft" role="status" hidden>
      Nothing found.
    </p>
  </Sheet>
);
