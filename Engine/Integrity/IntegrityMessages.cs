using System.Globalization;

namespace IoBench.Engine;

public static class IntegrityMessages
{
    /// <summary>First words of a verdict about content that could not be verified.</summary>
    public const string NotVerified = "NOT VERIFIED";

    /// <summary>Describes all errors by kind, with a period at the end; <c>no errors.</c> if there are none.</summary>
    public static string Describe(IoIntegrity integrity)
    {
        ArgumentNullException.ThrowIfNull(integrity);
        var kinds = string.Join(
            ", ",
            integrity.ErrorsByKind.Select(c =>
                string.Create(CultureInfo.InvariantCulture, $"{c.Count:#,##0} {GetKindName(c.Kind, c.Count)}")
            )
        );
        return integrity.ErrorCount == 0
            ? "no errors."
            : string.Create(CultureInfo.InvariantCulture, $"the storage did not keep its word: {kinds}.");
    }

    /// <summary>Returns <c>lost write: 4,096 bytes at offset 8,192; expected write 7 of thread 0, found write 3 of thread 0</c>.</summary>
    public static string Describe(IoIntegrityError error)
    {
        ArgumentNullException.ThrowIfNull(error);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{GetKindName(error.Kind)}: {error.Length:#,##0} bytes at offset {error.Offset:#,##0}; expected {error.Expected}, found {error.Found}{(error.IsLasting == false ? "; a second read was right" : "")}"
        );
    }

    public static string GetKindName(IoIntegrityErrorKind kind, long count = 1)
    {
        var many = count != 1;
        return kind switch
        {
            IoIntegrityErrorKind.LostWrite => many ? "lost writes" : "lost write",
            IoIntegrityErrorKind.StaleRead => many ? "stale reads" : "stale read",
            IoIntegrityErrorKind.TornWrite => many ? "torn writes" : "torn write",
            IoIntegrityErrorKind.MisdirectedWrite => many ? "misdirected writes" : "misdirected write",
            IoIntegrityErrorKind.MisdirectedRead => many ? "misdirected reads" : "misdirected read",
            IoIntegrityErrorKind.BitFlip => many ? "blocks with flipped bits" : "block with flipped bits",
            IoIntegrityErrorKind.Zeros => many ? "blocks of zeros" : "block of zeros",
            IoIntegrityErrorKind.NotRead => many ? "reads that left bytes out" : "read that left bytes out",
            _ => many ? "blocks with wrong content" : "block with wrong content",
        };
    }
}
