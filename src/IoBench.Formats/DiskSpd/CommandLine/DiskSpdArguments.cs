using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdArguments
{
    /// <summary>As C's <c>atoi</c>: ignores text after the digits. No digits are 0, and a larger number is the maximum.</summary>
    internal static int ParseNumber(ReadOnlySpan<char> text, out bool isPlain)
    {
        var rest = text.TrimStart();
        var negative = rest.StartsWith("-");
        if (negative || rest.StartsWith("+"))
            rest = rest[1..];
        long value = 0;
        var digits = 0;
        while (digits < rest.Length && char.IsAsciiDigit(rest[digits]))
            value = Math.Min(value * 10 + (rest[digits++] - '0'), int.MaxValue);
        isPlain = digits > 0 && digits == rest.Length;
        return (int)(negative ? -value : value);
    }

    /// <summary>Digits and K, M, G, T (1024-based) or b (blocks). False without a digit, or if the size is too large.</summary>
    internal static bool TryParseSize(ReadOnlySpan<char> text, long blockSize, out long bytes, out ReadOnlySpan<char> rest)
    {
        bytes = 0;
        var digits = 0;
        while (digits < text.Length && char.IsAsciiDigit(text[digits]))
            digits++;
        rest = text[digits..];
        if (digits == 0 || !decimal.TryParse(text[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out var number))
            return false;
        long? factor = rest.IsEmpty
            ? null
            : char.ToUpperInvariant(rest[0]) switch
            {
                'K' => 1L << 10,
                'M' => 1L << 20,
                'G' => 1L << 30,
                'T' => 1L << 40,
                'B' => blockSize,
                _ => null,
            };
        if (factor is not null)
            rest = rest[1..];
        if (number > long.MaxValue / Math.Max(1, factor ?? 1))
            return false;
        bytes = (long)number * (factor ?? 1);
        return true;
    }

    internal static bool TryParseSize(ReadOnlySpan<char> text, long blockSize, out long bytes) =>
        TryParseSize(text, blockSize, out bytes, out var rest) && rest.IsEmpty;

    internal static void ThrowIf(bool isWrong, string what)
    {
        if (isWrong)
            throw CreateInvalidError(what + ".");
    }

    internal static IoBenchException CreateInvalidError(string what, IoMessage? advice = null) =>
        IoBenchException.Usage("IoBench.InvalidCommandLine", "diskspd: " + what, advice: advice);

    internal static IoBenchException CreateNotSupportedError(string what, IoMessage? advice = null) =>
        IoBenchException.Usage("IoBench.NotSupported", "diskspd: " + what, advice: advice);
}
