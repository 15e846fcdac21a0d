/** One curl command for each call of the OpenAPI document, which a new sandbox takes as it is. */
import * as z from 'zod/mini';
import { startSandbox } from '../../lab/sandbox/sandbox';
import { writePaths } from '../openapi/operations';

const body = z.object({ content: z.object({ 'application/json': z.object({ example: z.optional(z.unknown()) }) }) });
const operation = z.object({ operationId: z.string(), requestBody: z.optional(body) });
const paths = z.record(z.string(), z.record(z.string(), z.unknown()));
const list = z.object({ data: z.array(z.object({ id: z.optional(z.string()) })) });

/** Bodies for calls whose example in the document is a whole record, which the sandbox has already. */
const bodies: Readonly<Record<string, object>> = {
  sendMessage: {
    channel: 'whatsapp',
    to: '+12025550123',
    template: 'parcel_out_for_delivery',
    variables: { parcel_id: 'PX-20418', arrival_time: '14:30' },
  },
  createContact: { phone: '+12025550177', first_name: 'Sam' },
  updateContact: { add_tags: ['vip'] },
  triggerCampaign: { to: '+12025550123', variables: {} },
};

/** Returns the id of the first record that the sandbox lists at a path, or a variable, such as for a new webhook. */
const idAt = async (address: string, headers: Record<string, string>): Promise<string> => {
  const response = await fetch(`${address}?limit=1`, { headers });
  return list.safeParse(await response.json()).data?.data[0]?.id ?? '$ID';
};

/** Returns the commands, one on each line, after a line that takes the address and the token from `.env`. */
export const renderCurl = async (): Promise<string> => {
  const sandbox = await startSandbox();
  const authorization = `Bearer ${sandbox.tokens.advanced}`;
  try {
    const lines: string[] = [];
    for (const [path, methods] of Object.entries(paths.parse(writePaths()))) {
      const [collection = '', rest] = path.split('/{id}');
      const id = rest === undefined ? '' : `/${await idAt(sandbox.url + collection, { authorization })}${rest}`;
      for (const [method, written] of Object.entries(methods)) {
        const { data } = operation.safeParse(written);
        if (!data) continue;
        const sent = bodies[data.operationId] ?? data.requestBody?.content['application/json'].example;
        const verb = method === 'get' || method === 'post' ? '' : `-X ${method.toUpperCase()} `;
        const json = sent ? ` --json '${JSON.stringify(sent)}'` : '';
        lines.push(`curl ${verb}-H "$AUTH" "$BASE_URL${collection}${id}"${json}`);
      }
    }
    return ['source .env && export AUTH="Authorization: Bearer $API_TOKEN"', ...lines].join('\n');
  } finally {
    await sandbox.stop();
  }
};
