import { endpoints } from '../../../src/api/endpoints';
import { parseRefusal } from '../../../src/api/refusal';
import { vocabulary } from '../../../src/api/resources';
import type { ServiceResponse } from '../service-client';

/** Whether a text lists what the service takes, so that the events that it names aren't those that it refuses. */
const listsChoices = (text: string): boolean =>
  /\b(one of|any of|allowed|accepts?|accepted|expected|choose|(supported|valid|known) (events|types|values))\b/i.test(
    text,
  );

/** Returns the events that a service refuses by name when a webhook is created; none unless that's certain. */
export const refusedEvents = ({ endpoint, status, body, sent }: ServiceResponse): string[] => {
  if (endpoint !== endpoints.createWebhook || (status !== 400 && status !== 422)) return [];
  const { message = '', problems } = parseRefusal(status, body);
  const text = [message, ...problems.map((problem) => problem.message ?? '')].join(' ');
  if (listsChoices(text)) return [];
  const words = text.split(/[\s,'"`()[\]]+/).map((word) => word.replace(/[.:;!?]+$/, ''));
  const request = JSON.stringify(sent.body);
  const asked = vocabulary.event.filter((event) => request.includes(JSON.stringify(event)));
  const refused = asked.filter((event) => words.includes(event));
  // A text that names most of them may repeat the request, or list those that the service takes.
  return refused.length <= asked.length / 2 ? refused : [];
};
