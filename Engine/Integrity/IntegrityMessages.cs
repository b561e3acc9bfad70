using System.Globalization;

namespace IoBench.Engine;

public static class IntegrityMessages
{
    /// <summary>First words of a verdict about content that could not be verified.</summary>
    public const string NotVerified = "NOT VERIFIED";

    /// <summary>
    /// Describes all errors by kind, with a period at the end; without errors, the content that could not be verified, or
    /// <c>no errors.</c>.
    /// </summary>
    public static string Describe(IoIntegrity integrity)
    {
        ArgumentNullException.ThrowIfNull(integrity);
        if (integrity.Outcome == IoIntegrityOutcome.NotVerified)
            return DescribeUnverified(integrity);
        // An edited or shortened result can have errors without kinds.
        var kinds =
            integrity.ErrorsByKind.Count == 0
                ? NumberFormat.PluralizeGrouped(integrity.ErrorCount, "error")
                : string.Join(
                    ", ",
                    integrity.ErrorsByKind.Select(c =>
                        string.Create(CultureInfo.InvariantCulture, $"{c.Count:#,##0} {GetKindName(c.Kind, c.Count)}")
                    )
                );
        return integrity.ErrorCount == 0
            ? "no errors."
            : string.Create(CultureInfo.InvariantCulture, $"the storage returned wrong data: {kinds}{DescribeErrorBytes(integrity)}.");
    }

    /// <summary>Returns <c>lost write: 4,096 bytes at offset 8,192; expected write 7 of thread 0, found write 3 of thread 0</c>.</summary>
    public static string Describe(IoIntegrityError error)
    {
        ArgumentNullException.ThrowIfNull(error);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{GetKindName(error.Kind)}: {error.Length:#,##0} bytes at offset {error.Offset:#,##0}; expected {error.Expected}, found {error.Found}{(error.IsLasting == false ? "; a second read returned the expected data" : "")}"
        );
    }

    private static string DescribeErrorBytes(IoIntegrity integrity) =>
        integrity.ErrorBytes == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" ({integrity.ErrorBytes:#,##0} bytes)");

    /// <summary>Returns how much was and was not verified, and one sentence per reason.</summary>
    public static string DescribeUnverified(IoIntegrity integrity)
    {
        ArgumentNullException.ThrowIfNull(integrity);
        if (integrity.Crash?.NotVerifiedReason is { } reason)
            return reason;
        var verified = integrity.VerifiedBytes is { } bytes
            ? string.Create(CultureInfo.InvariantCulture, $"IoBench verified {bytes:#,##0} bytes, but ")
            : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{verified}{integrity.UnverifiedBytes:#,##0} bytes could not be verified. {string.Join(" ", integrity.Unverified.Select(Describe))}"
        );
    }

    /// <summary>Returns one sentence such as <c>4,096 bytes at offset 8,192 and later differ from what IoBench wrote, ….</c>.</summary>
    public static string Describe(IoUnverifiedContent content)
    {
        ArgumentNullException.ThrowIfNull(content);
        const string differ = "differ from what IoBench wrote";
        var what = string.Create(
            CultureInfo.InvariantCulture,
            $"{content.ByteCount:#,##0} bytes starting at offset {content.Offset:#,##0}"
        );
        return content.Reason switch
        {
            IoUnverifiedReason.NoMarker => "IoBench did not create the file, so its content before the test is unknown.",
            IoUnverifiedReason.DamagedMarker => "The ownership marker is damaged, so the content before the test is unknown.",
            IoUnverifiedReason.Device => "The content of the device before the test is unknown, and the test did not overwrite all of it.",
            IoUnverifiedReason.Copy => $"{what} {differ}, and the file is a copy of a test file.",
            IoUnverifiedReason.SizeChanged => $"{what} {differ}, and another program changed the size of the file.",
            IoUnverifiedReason.ChangedOutside => $"{what} {differ}, and another program changed the file after IoBench wrote it.",
            IoUnverifiedReason.CoarseTimes =>
                $"{what} {differ}, and the timestamps of the file system are too coarse to show whether another program changed the file.",
            IoUnverifiedReason.Unrecognizable =>
                $"{what} cannot be verified, because an earlier test wrote zeros, a pattern, or the bytes of another file there.",
            IoUnverifiedReason.UnverifiedWrites =>
                $"{what} contain data that earlier tests wrote without verification, so a lost write cannot be detected. "
                    + "Run a test that writes and verifies. IoBench then records the content, so that the next verification can check it.",
            _ => "Another program wrote to the file during the test.",
        };
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
            IoIntegrityErrorKind.NotRead => many ? "reads that did not return all bytes" : "read that did not return all bytes",
            _ => many ? "blocks with wrong content" : "block with wrong content",
        };
    }
}
