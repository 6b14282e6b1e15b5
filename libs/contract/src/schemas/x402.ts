import {
  BaseUnitsText,
  Authorization as Eip3009Authorization,
  ExactEvmExtra,
  ExactRequirements,
  Hash32,
  HexText,
  Offer,
  OfferedExtension,
  OfferedResource,
  SettleResponse,
  UnixSecondsText,
  V1PaymentRequired,
  V1PaymentRequirements,
  VerifyResponse,
} from '@callboard/x402'
import { nameSchemas } from '../named-schemas.ts'

// x402's own terms, where it has them: what we send is narrower than what we accept from others.
nameSchemas({
  BaseUnits: BaseUnitsText,
  Eip3009Authorization,
  ExactEvmExtra,
  Hash32,
  Hex: HexText,
  OfferedExtension,
  PaymentRequired: Offer,
  PaymentRequiredV1: V1PaymentRequired.out,
  PaymentRequirements: ExactRequirements,
  PaymentRequirementsV1: V1PaymentRequirements.out,
  ResourceInfo: OfferedResource,
  SettleResponse,
  UnixSeconds: UnixSecondsText,
  VerifyResponse,
})
