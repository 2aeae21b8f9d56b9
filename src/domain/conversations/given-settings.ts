import type { Json } from '../../base/json.ts';

/**
 * The settings of conversations that this operator gave in this workspace. A conversation that came with a repository may
 * bring any others, so settings that are not recorded may only narrow.
 */
export interface GivenSettings {
  /** Call it before the settings are written into a conversation. Adding them again changes nothing. */
  add(settings: Json): Promise<void>;
  has(settings: Json): Promise<boolean>;
}
