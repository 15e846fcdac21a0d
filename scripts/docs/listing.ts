import { recipes } from '../../recipes';
import type { Recipe } from '../../recipes/recipe';
import { apiPlan, endpoints } from '../../src/api/endpoints';
import { toLabel } from '../../src/api/labels';
import { vocabulary } from '../../src/api/resources';
import { demoAccount } from '../listing/account';
import { listTries } from '../listing/reviewer';
import { type Access, nameSteps } from './access';
import { bullets, code, linkTo, table } from './markdown';
import { renderPage } from './page';

const scopeRows = (all: Access[]): string[][] => [
  ...vocabulary.scope.map((scope) => [
    code(scope),
    nameSteps(all, ({ run }) => run.includes(scope)),
    nameSteps(all, ({ setUp }) => setUp.includes(scope)),
  ]),
  ['any of them', 'Call the API, for calls that need that scope', ''],
];

const linkToRecipe = ({ name }: Recipe): string => linkTo(name, 'recipes.md');

const templateList = (): string => bullets(recipes.filter(({ notATemplate }) => !notATemplate).map(linkToRecipe));

const otherRecipes = (): string =>
  bullets(recipes.flatMap((recipe) => (recipe.notATemplate ? `${linkToRecipe(recipe)}: ${recipe.notATemplate}` : [])));

/** Renders the texts for Zapier's publishing form and the Zap templates. */
export const renderListing = (accesses: Access[]): string =>
  renderPage('listing', {
    'plan of the API': toLabel(apiPlan),
    'plan of webhooks': toLabel(endpoints.createWebhook.plan),
    'table scopes': table(['Scope', 'To run', 'Also for lists, forms and tests in the editor'], scopeRows(accesses)),
    'number of steps': String(accesses.length),
    'number that replies': demoAccount.replies,
    'number that fails': demoAccount.fails,
    'number that opted out': demoAccount.optedOut,
    'demo email': demoAccount.email,
    'demo API': demoAccount.api,
    'API documentation': demoAccount.apiDocumentation,
    inbox: demoAccount.inbox,
    'table of steps to try': table(['Step', 'To try it'], listTries(accesses)),
    'list of templates': templateList(),
    'list of other recipes': otherRecipes(),
  });
