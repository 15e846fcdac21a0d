/** What a call may do for which nobody filled in a form: one by an AI agent, or by a program. */
import { type Bundle, defineInputField } from 'zapier-platform-core';
import { readText } from '../formats/mapped-value';
import { halt } from '../platform/errors';
import { ordered } from './input';

/** What an account lets such calls do. Each word allows what those before it allow. */
const permissions = ['read', 'message', 'everything'] as const;
type Permission = (typeof permissions)[number];

const choices: Record<Permission, string> = {
  read: 'Only look things up',
  message: 'Also message one person and edit contacts',
  everything: 'Everything, also campaigns, deleting and Call the API',
};

/** The field of the account. */
export const agentsField = defineInputField({
  key: 'ai_agents',
  label: 'AI Agents May',
  required: false,
  default: 'message',
  choices: ordered(...permissions.map((each) => [each, choices[each]] as const)),
  helpText:
    "Choose what AI agents may do with this account. Zapier's MCP server lets an agent use every action by itself. Zaps aren't limited by this.",
});

type Input = Bundle['inputData'];

const isChosen = (value: unknown, ...names: string[]): boolean => names.includes(readText(value)?.toLowerCase() ?? '');

/** What each action needs, by its key and input. One that is missing here needs everything. */
const needed: Record<string, (input: Input) => Permission> = {
  send_message: () => 'message',
  send_message_and_wait: () => 'message',
  start_campaign: ({ audience }) => (isChosen(audience, 'one', 'one recipient') ? 'message' : 'everything'),
  create_contact: () => 'message',
  create_or_update_contact: () => 'message',
  update_contact: () => 'message',
  call_api: ({ method }) => (isChosen(method, 'get') ? 'read' : 'everything'),
};

/** Returns what the account allows: by default, messages to one person, and nothing but reading for an unknown word. */
const permissionOf = (account: Bundle['authData']): Permission => {
  const text = readText(account?.[agentsField.key]) ?? 'message';
  return permissions.find((each) => each === text) ?? 'read';
};

/**
 * Throws an error when nobody filled in the form of an action, and the account doesn't let AI agents do what it does.
 * Zapier gives a step `inputDataRaw` only if there is a form.
 */
export const refuseAgent = (key: string, { authData, inputData, inputDataRaw }: Bundle): void => {
  if (inputDataRaw) return;
  const need = needed[key]?.(inputData) ?? 'everything';
  const allowed = permissionOf(authData);
  if (permissions.indexOf(need) <= permissions.indexOf(allowed)) return;
  throw halt(
    `${agentsField.label}: the account doesn't let AI agents do this, so nothing was done. A person can allow it: in Zapier, edit the account under App connections, and choose "${choices[need]}".`,
  );
};
