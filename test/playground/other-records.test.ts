/** The records of the apps that start Zaps. */
import { describeAdded, otherTrigger } from '../../playground/service/other-records';
import { definition } from '../../playground/service/zapier';
import { recipes } from '../../recipes';
import { stepsOf } from '../../recipes/recipe';
import { exampleOf } from '../../zapier/zap/steps';

const zaps = recipes.map((recipe) => ({
  id: 'zap-1',
  title: recipe.title,
  steps: stepsOf(recipe).map((step, at) => ({ ...step, id: `step-${at}` })),
  isOn: true,
  seen: [],
}));

const added = zaps.flatMap((zap) => {
  const trigger = otherTrigger(zap);
  const record = trigger && exampleOf(definition, trigger);
  return trigger && record ? [describeAdded(zap, trigger, Object(record))] : [];
});

test('the story of a record begins with the number or the name by which people know it, and with no long id', () => {
  expect(added).toEqual([
    'Row A-1042 was added in Google Sheets',
    'Order 1042 was added in Shopify',
    'Order 1042 was added in WooCommerce',
    'Lead Sanne Bakker was added in Facebook Lead Ads',
    'Missed Call in RingCentral',
    'Invitee Noor Visser was added in Calendly',
    'Appointment Sanne was added in Acuity Scheduling',
    'Entry Sanne was added in Typeform',
    'Every Day in Schedule by Zapier',
    'Every Day in Schedule by Zapier',
  ]);
});
