/**
 * What this app takes from Zapier's core. Only this file imports core: the bundle would carry one `require` for each
 * file that does, and Node looks each of them up on disk again at every cold start.
 */
export {
  type Authentication,
  type BeforeRequestMiddleware,
  type Bundle,
  type CreatePerform,
  defineApp,
  defineCreate,
  defineInputField,
  defineInputFields,
  defineSearch,
  defineTrigger,
  errors,
  type HttpRequestOptions,
  type HttpResponse,
  type InferInputData,
  type InputField,
  type PlainInputField,
  type PollingTriggerPerform,
  type RawHttpResponse,
  type SearchPerform,
  version as platformVersion,
  type ZObject,
} from 'zapier-platform-core';
