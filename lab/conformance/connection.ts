import { connectionTests, prefixInUse } from '../../src/api/adapter';
import { parseRefusal } from '../../src/api/refusal';
import { CheckAborted, NotChecked } from './check';
import { planIn } from './response';
import type { ServiceClient, ServiceResponse } from './service-client';

const redirectTarget = ({ headers }: ServiceResponse, baseUrl: string): string => {
  const location = headers.get('location') ?? '';
  return URL.canParse(location, baseUrl) ? new URL(location, baseUrl).origin : 'another address';
};

const requireAccess = (response: ServiceResponse): void => {
  const { status, body } = response;
  const refusal = parseRefusal(status, body);
  const { code, message } = refusal;
  if (code === 'insufficient_scope' || ![401, 402, 403].includes(status)) return;
  if (code === 'plan_required') throw new CheckAborted(`The workspace needs ${planIn(refusal)} to use the API.`);
  throw new CheckAborted(`The service rejects API_TOKEN with status ${status}${message ? `: ${message}` : '.'}`);
};

/** Whether the endpoint exists. Throws `CheckAborted` when the response shows that nothing can be checked. */
const exists = (response: ServiceResponse, baseUrl: string): boolean => {
  const { status, body } = response;
  if (status >= 500) throw new CheckAborted(`The service fails with status ${status}.`);
  if (status >= 300 && status < 400) {
    throw new CheckAborted(
      `BASE_URL redirects to ${redirectTarget(response, baseUrl)}, so set it to the API's own address.`,
    );
  }
  requireAccess(response);
  if (status >= 400) return status === 402 || status === 403;
  if (typeof body !== 'string') return true;
  throw new CheckAborted(
    `BASE_URL isn't the address of the API: ${baseUrl}${response.endpoint.path} returns ${body ? 'text or HTML' : 'nothing'} instead of JSON.`,
  );
};

/** Returns what was tried, such as `GET /v1/workspace (404)`, and where to change it. */
const explain = (tried: readonly ServiceResponse[], baseUrl: string): string => {
  const calls = tried.map(({ endpoint: { method, path }, status }) => `${method} ${path} (${status})`).join(', ');
  const prefix = `Every path starts with \`prefix\`, now ${prefixInUse() ? `"${prefixInUse()}"` : 'empty'}`;
  const places = 'edit `prefix`, the paths in `hooks`, or `calls` in `missing` in src/api/service.ts';
  const isApi = tried.some(({ body }) => typeof body === 'object' && body !== null);
  return isApi
    ? `An API responds at ${baseUrl}, but not to the calls that test a connection: ${calls}. ${prefix}: ${places}.`
    : `${baseUrl} has none of the calls that test a connection: ${calls}. ${prefix}: correct BASE_URL, or ${places}.`;
};

/** Sends a request that only reads, if the service has one. Rejects with `CheckAborted` when the address, the token or the plan is wrong. */
export const testConnection = async (service: ServiceClient): Promise<void> => {
  const tried: ServiceResponse[] = [];
  try {
    for (const endpoint of connectionTests) {
      const response = await service.request(endpoint, {});
      tried.push(response);
      if (exists(response, service.baseUrl)) return;
    }
  } catch (error) {
    if (error instanceof NotChecked) throw new CheckAborted(`The service can't be reached: ${error.message}.`);
    throw error;
  }
  if (tried.length > 0) throw new CheckAborted(explain(tried, service.baseUrl));
};
