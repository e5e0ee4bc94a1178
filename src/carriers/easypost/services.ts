// EasyPost's names of services (`GroundAdvantage`, `NEXT_DAY_AIR`, `2ndDayAir`) as codes and as words.

function words(service: string): string[] {
  return service
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** `GroundAdvantage` is `ground_advantage`. */
export function serviceCodeOf(service: string): string {
  return words(service).join('_').toLowerCase();
}

/** `NEXT_DAY_AIR` is `Next Day Air`, `GroundAdvantage` is `Ground Advantage`. */
export function serviceNameOf(service: string): string {
  const shouted = service === service.toUpperCase();
  return words(service)
    .map((word) => (shouted ? word.charAt(0) + word.slice(1).toLowerCase() : word))
    .join(' ');
}
