/** What people read of the app in Zapier: the connection, and each step with its form and results. */

import { type AppDefinition, type FieldOfApp, plainFields, visibleStepsOf } from '../../lab/zapier/core/app-definition';
import { namesOf } from '../docs/definition';

/** A text, where it's read, and what it is there. */
export interface Text {
  /** A step, a file of the code or a page, such as `creates.send_message`. */
  place: string;
  /** Such as `label` or `channel: help`. */
  what: string;
  text: string;
}

const textsOfField = (place: string, { key, label, helpText, placeholder, choices, type }: FieldOfApp): Text[] =>
  [
    { what: 'label', text: label },
    { what: type === 'copy' ? 'note' : 'help', text: helpText },
    { what: 'placeholder', text: typeof placeholder === 'string' ? placeholder : undefined },
    ...Object.values(namesOf(choices)).map((text) => ({ what: 'choice', text })),
  ].flatMap(({ what, text }) => (text ? [{ place, what: `${key}: ${what}`, text }] : []));

/** Lists the texts of an app whose fields are in place of its functions. */
export const listAppTexts = (app: AppDefinition): Text[] => [
  ...app.authentication.fields.flatMap((field) => textsOfField('authentication', field)),
  ...visibleStepsOf(app).flatMap(({ place, step }) => [
    { place, what: 'label', text: step.display.label },
    { place, what: 'description', text: step.display.description },
    ...plainFields(step).flatMap((field) => textsOfField(place, field)),
    ...(step.operation.outputFields ?? []).map(({ key, label = '' }) => ({
      place,
      what: `${key}: result`,
      text: label,
    })),
  ]),
  ...Object.entries(app.searchOrCreates).flatMap(([key, { display }]) => [
    { place: `searchOrCreates.${key}`, what: 'label', text: display.label },
    { place: `searchOrCreates.${key}`, what: 'description', text: display.description },
  ]),
];
