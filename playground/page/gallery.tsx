import { recipes } from '../../recipes';
import type { Recipe } from '../../recipes/recipe';
import { brand } from '../../src/brand';
import { oneClick, showZap } from './swap';

const hues = 6;

/** The apps of a recipe in the order of its steps. */
const appsOf = ({ steps }: Recipe): string[] => [
  ...new Set(steps.flatMap((step) => (step.type === 'other' ? step.app : step.type === 'app' ? brand.name : []))),
];

/** Always the same color for an app. */
const hueOf = (app: string): number => [...app].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % hues;

const initialsOf = (app: string): string =>
  app
    .split(' ')
    .map((word) => [...word][0]?.toUpperCase())
    .slice(0, 2)
    .join('');

const Card = ({ recipe, index }: { recipe: Recipe; index: number }) => (
  <li class="card">
    <form hx-post="/zap/recipe" data-closes {...oneClick.form} {...showZap}>
      <input type="hidden" name="recipe" value={index} />
      <ul class="apps" aria-label="Apps">
        {appsOf(recipe).map((app) => (
          <li class={`app app-${hueOf(app)}`} title={app}>
            <span aria-hidden="true">{initialsOf(app)}</span>
            <span class="visually-hidden">{app}</span>
          </li>
        ))}
      </ul>
      <h3>{recipe.name}</h3>
      <p>{recipe.description}</p>
      <p class="intro">
        <strong>Watch out:</strong> {recipe.watchOut}
      </p>
      <button type="submit" class="secondary outline small" aria-label={`Load ${recipe.name}`}>
        Load
      </button>
    </form>
  </li>
);

/** Every recipe with its apps, what it does and what to watch out for. Closes when one is loaded. */
export const Gallery = () => (
  <details id="recipes" class="recipes">
    <summary>Recipes</summary>
    <ul class="gallery" aria-label="Recipes">
      {recipes.map((recipe, index) => (
        <Card recipe={recipe} index={index} />
      ))}
    </ul>
  </details>
);
