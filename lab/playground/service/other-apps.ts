import { recipes } from '../../recipes';
import { example, type OtherRecipeStep, type RecipeStep } from '../../recipes/recipe';
import { mapEntries } from '../../zapier/fields/values';

/** Actions of other apps that people often add, with their fields and an example of what each returns. */
const actions: readonly OtherRecipeStep[] = [
  {
    type: 'other',
    app: 'Slack',
    event: 'Send Channel Message',
    fields: { Channel: '#deliveries', 'Message Text': '' },
    json: example({ ok: true, channel: 'C024BE91L', ts: '1750068000.000200' }),
  },
  {
    type: 'other',
    app: 'Gmail',
    event: 'Send Email',
    fields: { To: '', Subject: '', Body: '' },
    json: example({ id: '18f2c1a7d3b4e590', threadId: '18f2c1a7d3b4e590' }),
  },
  {
    type: 'other',
    app: 'Google Sheets',
    event: 'Create Spreadsheet Row',
    fields: { Name: '', Phone: '', Status: '' },
    json: example({ 'Row Number': 3, Name: 'Noor Visser', Phone: '(202) 555-0123', Status: 'sent' }),
  },
  {
    type: 'other',
    app: 'HubSpot',
    event: 'Create Contact',
    fields: { 'First Name': '', Email: '', 'Phone Number': '' },
    json: example({ id: '51', firstname: 'Noor', email: 'noor.visser@example.com', phone: '+12025550123' }),
  },
];

/** An action with nothing mapped, since the steps before it differ. */
const unmapped = (step: OtherRecipeStep): OtherRecipeStep => ({
  ...step,
  fields: mapEntries(step.fields ?? {}, (value) => ([value].flat().join().includes('{{') ? '' : value)),
});

const isOther = (step: RecipeStep): step is OtherRecipeStep => step.type === 'other';

/** Each once, by its app and event. */
const distinct = (steps: readonly OtherRecipeStep[]): OtherRecipeStep[] =>
  steps.filter(({ app, event }, at) => steps.findIndex((each) => each.app === app && each.event === event) === at);

const triggers = distinct(recipes.flatMap(({ steps: [first] }) => (isOther(first) ? first : [])));
const all = distinct([...actions, ...recipes.flatMap(({ steps: [, ...rest] }) => rest.filter(isOther).map(unmapped))]);

/** What people can add of other apps at a position of a Zap, with examples: all that recipes have. */
export const otherAppsAt = (index: number): readonly OtherRecipeStep[] => (index === 0 ? triggers : all);
