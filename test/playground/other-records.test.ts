/** The records of the apps that start Zaps. */
import { cellsOf, composeRecord, describeAdded, otherTrigger } from '../../playground/service/other-records';
import { readSheet } from '../../playground/service/other-windows';
import { definition } from '../../playground/service/zapier';
import { recipes } from '../../recipes';
import { stepsOf } from '../../recipes/recipe';
import { exampleOf } from '../../zapier/zap/steps';
import { startParts } from '../support/playground-parts';

const zaps = recipes.map((recipe) => ({
  id: 'zap-1',
  title: recipe.title,
  steps: stepsOf(recipe).map((step, at) => ({ ...step, id: `step-${at}` })),
  isOn: true,
  seen: [],
}));

test('each further record of every recipe is of another person', async () => {
  const { parts, stop } = await startParts();
  try {
    const people = recipes.flatMap((recipe) => {
      const zap = parts.zaps.add(stepsOf(recipe));
      const trigger = otherTrigger(zap);
      if (!trigger) return [];
      const texts = [1, 2].map(() => {
        const { columns, next } = readSheet(parts, zap) ?? { columns: [], next: [] };
        const record = composeRecord(parts.otherRecords, zap, trigger, next);
        parts.otherRecords.add({ id: crypto.randomUUID(), step: trigger.id, at: '2026-06-11T09:40:12Z', record });
        expect(next).toEqual(cellsOf(record, columns));
        return JSON.stringify(record);
      });
      expect(texts.join()).not.toMatch(/noor|visser|sanne|bakker/i);
      return texts.map((text) => /Grace|Mateo/.exec(text)?.[0]);
    });
    // A time of day is of nobody.
    expect(people.filter(Boolean)).toEqual(Array(8).fill(['Grace', 'Mateo']).flat());
  } finally {
    await stop();
  }
});

const added = zaps.flatMap((zap) => {
  const trigger = otherTrigger(zap);
  const record = trigger && exampleOf(definition, trigger);
  return trigger && record ? [describeAdded(zap, trigger, Object(record))] : [];
});

test('the story of a record begins with the number or the name by which people know it, and with no long id', () => {
  expect(added).toEqual([
    'New Spreadsheet Row in Google Sheets: A-1042',
    'New Order in Shopify: #1042',
    'Order Created in WooCommerce: 1042',
    'New Lead in Facebook Lead Ads: Sanne Bakker',
    'Missed Call in RingCentral: SANNE BAKKER',
    'Invitee Created in Calendly: Noor Visser',
    'Appointment Start in Acuity Scheduling: Sanne',
    'New Entry in Typeform: Sanne',
    'Every Day in Schedule by Zapier',
    'Every Day in Schedule by Zapier',
  ]);
});
