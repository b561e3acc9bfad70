using System.Globalization;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Recognizes messages about I/O. Their texts are in 11 languages, so errors 823, 824, 825, and 833 are recognized by their numbers, paths,
/// and offsets, which are the same in all languages.
/// </summary>
internal static partial class ErrorLogMessages
{
    private const int LongIOSeconds = 15;

    private static readonly string[] s_wordsForIO = ["I/O", "E/A", "E/S", "ввод"];

    /// <summary>Error number, severity, and state, such as <c>Error: 823, Severity: 24, State: 2.</c> in any language.</summary>
    /// <returns>823, 824, or 825; null for any other text.</returns>
    public static int? FindErrorHeader(ReadOnlySpan<char> text)
    {
        const int maxLength = 120;
        if (text.Length > maxLength || text.IndexOf("82", StringComparison.Ordinal) < 0)
            return null;
        var match = ErrorHeader().Match(text.ToString());
        if (!match.Success)
            return null;
        var error = ParseInt(match.Groups["error"].Value);
        return ParseInt(match.Groups["severity"].Value) == (error == 825 ? 10 : 24) ? error : null;
    }

    [GeneratedRegex(
        @"^[^0-9]{1,40}[:：]\s*(?<error>82[345])[^0-9]{1,40}[:：]\s*(?<severity>[0-9]{1,2})[^0-9]{1,40}[:：]\s*[0-9]{1,3}[^0-9]*$"
    )]
    private static partial Regex ErrorHeader();

    /// <summary>Reads the text that follows the header of error 823, 824, or 825.</summary>
    /// <returns>False if the text is not that of the error.</returns>
    public static bool TryReadError(string text, ErrorLogEvent header, out ErrorLogEvent result)
    {
        result = header;
        var offset = FileOffset().Match(text);
        var quoted = QuotedPath().Match(text);
        if (!offset.Success || !quoted.Success)
            return false;
        var path = quoted.Groups["path"].Value;
        var page = header.Kind == ErrorLogEventKind.InvalidPage ? PageId().Match(text) : Match.Empty;
        var os = OSErrorText().Match(text);
        var reason = PageReason().Match(text);
        // Remove what contains other numbers, so that the number of attempts or the id of the database remains.
        var rest = text;
        foreach (var part in new[] { path, reason.Value, os.Value, page.Value }.Where(part => part.Length > 0))
            rest = rest.Replace(part, " ", StringComparison.Ordinal);
        var number = FindOnlyNumber(HexNumber().Replace(rest, ""));
        result = header with
        {
            Path = path,
            Offset = ParseHex(offset.Groups["digits"].Value),
            Page = page.Success ? page.Groups["page"].Value : null,
            Operation = header.Kind == ErrorLogEventKind.ReadRetry ? IoOperation.Read : FindOperation(text),
            OSError = os.Success ? ParseInt(os.Groups["code"].Value) : null,
            Detail =
                os.Success ? os.Groups["text"].Value
                : reason.Success ? reason.Value
                : null,
            DatabaseId = header.Kind == ErrorLogEventKind.InvalidPage ? number : null,
            FailedAttempts = header.Kind == ErrorLogEventKind.ReadRetry ? number : null,
        };
        return true;
    }

    /// <summary>An offset has 14 digits; a checksum has 8, and a handle has 8 or 16.</summary>
    [GeneratedRegex(@"0x(?<digits>[0-9A-Fa-f]{14})(?![0-9A-Za-z])")]
    private static partial Regex FileOffset();

    [GeneratedRegex(@"(?<![0-9A-Za-z])0x[0-9A-Fa-f]{8,16}(?![0-9A-Za-z])")]
    private static partial Regex HexNumber();

    [GeneratedRegex(@"\((?<page>[0-9]{1,5}:[0-9]{1,10})\)")]
    private static partial Regex PageId();

    /// <summary>As in <c>1117(The request could not be performed because of an I/O device error.)</c>.</summary>
    [GeneratedRegex(@"(?<![0-9:])(?<code>[0-9]{1,5})\((?<text>[^()]*(?:\([^()]*\)[^()]*)*)\)")]
    private static partial Regex OSErrorText();

    /// <summary>What is wrong with a page, in English.</summary>
    [GeneratedRegex(
        @"(?:incorrect checksum|incorrect pageid|torn page|stale page|unable to decrypt page|page is missing|bad header)[^(.'""]{0,40}(?:\((?:[^()]|\([^()]*\))*\))?",
        RegexOptions.IgnoreCase
    )]
    private static partial Regex PageReason();

    /// <summary>A path in the quotation marks of any language. An apostrophe in the path is followed by a letter.</summary>
    [GeneratedRegex(@"['""«„“”‚‘’「『]\s?(?<path>(?:[A-Za-z]:[\\/]|\\\\|/|https?://)[^\r\n""]{1,1000}?)\s?['""»“”‘’」』](?![A-Za-z0-9])")]
    private static partial Regex QuotedPath();

    private static readonly (IoOperation Operation, string[] Words)[] s_operations =
    [
        (IoOperation.Read, ["read", "lese", "lectura", "lecture", "lettura", "leitura", "чтени", "読み取り", "읽기", "读取", "讀取"]),
        (
            IoOperation.Write,
            ["write", "schreib", "escritura", "écriture", "scrittura", "gravação", "запис", "書き込み", "쓰기", "写入", "寫入"]
        ),
    ];

    private static IoOperation? FindOperation(string text)
    {
        // Only the first sentence, because the advice that follows can contain these words.
        var end = FileOffset().Match(text).Index + 80;
        var sentence = text[..Math.Min(end, text.Length)];
        var found = s_operations
            .Where(item => item.Words.Any(word => sentence.Contains(word, StringComparison.OrdinalIgnoreCase)))
            .ToList();
        return found.Count == 1 ? found[0].Operation : null;
    }

    /// <summary>
    /// Error 833 in any language. It contains the file in brackets, the database (name in brackets and id, or only the id), the number 15,
    /// the handle, and the offset. All languages use one of four words for I/O. Some languages have the database first, and the number of
    /// observations last.
    /// </summary>
    public static ErrorLogEvent? ReadLongIO(string text, ErrorLogEvent entry)
    {
        var hex = HexNumber().Matches(text);
        if (
            hex.Count < 2
            || !FileOffset().IsMatch(hex[^1].Value)
            || !s_wordsForIO.Any(word => text.Contains(word, StringComparison.OrdinalIgnoreCase))
        )
            return null;
        var head = text[..hex[^2].Index];
        var pathStart = BracketedPathStart().Match(head);
        if (!pathStart.Success)
            return null;
        // A path can contain brackets. It ends before the database, or at the last bracket if the database precedes it.
        var databases = NamedDatabase().Matches(head);
        var database = databases.LastOrDefault(match => match.Index < pathStart.Index) ?? databases.LastOrDefault();
        var pathLimit = database is not null && database.Index > pathStart.Index ? database.Index : head.Length;
        (int Start, int End) path = (pathStart.Index, head.LastIndexOf(']', pathLimit - 1) + 1);
        if (path.End <= path.Start)
            return null;
        List<(long Value, bool IsAfterPath)> numbers = [];
        foreach (Match number in LoneNumber().Matches(head))
        {
            var at = number.Index;
            if (
                (at >= path.Start && at < path.End)
                || (database is not null && at >= database.Index && at < database.Index + database.Length)
            )
                continue;
            if (!int.TryParse(number.ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
                return null;
            numbers.Add((value, at >= path.End));
        }
        if (FindCounts([.. numbers], database is not null) is not { } counts)
            return null;
        var tail = text[(hex[^1].Index + hex[^1].Length)..];
        return entry with
        {
            Kind = ErrorLogEventKind.LongIO,
            Path = text[(path.Start + 1)..(path.End - 1)],
            Database = database?.Groups["name"].Value,
            DatabaseId = database is null ? (int?)counts.DatabaseId : ParseInt(database.Groups["id"].Value),
            Observations = counts.Observations,
            Offset = ParseHex(hex[^1].ValueSpan[2..]),
            // The unit follows the duration, so digits at the end are truncated.
            DurationMs =
                Digits().Matches(tail) is [var duration] && duration.Index + duration.Length < tail.Length
                    ? ParseInt(duration.Value)
                    : null,
        };
    }

    [GeneratedRegex(@"\[(?<name>[^\[\]]*(?:\]\][^\[\]]*)*)\]\s?\((?<id>[0-9]{1,5})\)")]
    private static partial Regex NamedDatabase();

    [GeneratedRegex(@"(?<![0-9A-Za-z.,_=])[0-9]{1,18}(?![0-9A-Za-z_]|[.,][0-9])")]
    private static partial Regex LoneNumber();

    [GeneratedRegex("[0-9]+")]
    private static partial Regex Digits();

    [GeneratedRegex(@"\[(?:[A-Za-z]:|\\\\|/|https?://)")]
    private static partial Regex BracketedPathStart();

    private static (long Observations, long? DatabaseId)? FindCounts((long Value, bool IsAfterPath)[] numbers, bool hasNamedDatabase) =>
        numbers switch
        {
            [var a, var b] when hasNamedDatabase => a.Value == LongIOSeconds ? (b.Value, null)
            : b.Value == LongIOSeconds ? (a.Value, null)
            : null,
            // Count, 15 [path] id, as in English; count, id [path] 15, as in Chinese.
            [{ IsAfterPath: false } a, { IsAfterPath: false } b, { IsAfterPath: true } c] when !hasNamedDatabase => b.Value == LongIOSeconds
                ? (a.Value, c.Value)
            : c.Value == LongIOSeconds ? (a.Value, b.Value)
            : null,
            // Id [path] 15, count, as in Japanese and Korean.
            [{ IsAfterPath: false } a, { IsAfterPath: true } b, { IsAfterPath: true } c]
                when !hasNamedDatabase && b.Value == LongIOSeconds => (c.Value, a.Value),
            _ => null,
        };

    public static ErrorLogEvent? ReadMisaligned(string text, ErrorLogEvent entry) =>
        Misaligned().Match(text) is { Success: true } match
            ? entry with
            {
                Kind = ErrorLogEventKind.MisalignedLogIO,
                MisalignedIOs = ParseLong(match.Groups["count"].Value),
                Path = match.Groups["path"].Value,
                Operation = IoOperation.Write,
            }
            : null;

    [GeneratedRegex(
        @"^There have been (?<count>[0-9]{1,18}) misaligned log IOs which required falling back to synchronous IO\.\s+The current IO is on file\s+(?<path>.+?)\.?\s*$",
        RegexOptions.Singleline
    )]
    private static partial Regex Misaligned();

    public static ErrorLogEvent? ReadFreeze(string text, ErrorLogEvent entry) =>
        Freeze().Match(text) is { Success: true } match
            ? entry with
            {
                Kind = match.Groups["frozen"].Success ? ErrorLogEventKind.IOFrozen : ErrorLogEventKind.IOResumed,
                Database = match.Groups["database"].Value,
            }
            : null;

    [GeneratedRegex(
        @"^I/O (?:(?<frozen>is frozen)|was resumed) on database (?<database>.{1,200}?)\.\s+No user action is required\.",
        RegexOptions.Singleline
    )]
    private static partial Regex Freeze();

    public static ErrorLogEvent? ReadFlush(string text, ErrorLogEvent entry)
    {
        var match = Flush().Match(text);
        if (!match.Success)
            return null;
        var flush = entry with
        {
            Kind = ErrorLogEventKind.SlowFlush,
            FlushedPages = ParseLong(match.Groups["pages"].Value),
            FlushWrites = ParseLong(match.Groups["writes"].Value),
            DurationMs = ParseLong(match.Groups["ms"].Value),
            NewDirtyPages = match.Groups["dirty"].Success ? ParseLong(match.Groups["dirty"].Value) : null,
            DatabaseId = ParseInt(match.Groups["db"].Value),
        };
        return ReadFlushDetails(text[match.Length..], flush);
    }

    [GeneratedRegex(
        @"^FlushCache: cleaned up (?<pages>[0-9]{1,18}) bufs with (?<writes>[0-9]{1,18}) writes in (?<ms>[0-9]{1,18}) ms\s*(?:\(avoided (?<dirty>[0-9]{1,18}) new dirty bufs\)\s*)?for db (?<db>[0-9]{1,5})(?::[0-9]+)?"
    )]
    private static partial Regex Flush();

    /// <summary>Lines that follow the first line of a slow flush.</summary>
    public static bool IsFlushDetail(ReadOnlySpan<char> text) =>
        text.StartsWith("average throughput:", StringComparison.Ordinal)
        || text.StartsWith("average writes per second:", StringComparison.Ordinal)
        || text.StartsWith("last target outstanding:", StringComparison.Ordinal);

    public static ErrorLogEvent ReadFlushDetails(string text, ErrorLogEvent flush)
    {
        var throughput = FlushThroughput().Match(text);
        var target = FlushTarget().Match(text);
        if (throughput.Success)
            flush = flush with
            {
                MBps = ParseDouble(throughput.Groups["rate"].Value),
                IOSaturation = ParseLong(throughput.Groups["saturation"].Value),
                ContextSwitches = ParseLong(throughput.Groups["switches"].Value),
            };
        return target.Success
            ? flush with
            {
                LastTargetOutstanding = ParseLong(target.Groups["target"].Value),
                AverageWriteMs = ParseLong(target.Groups["ms"].Value),
            }
            : flush;
    }

    [GeneratedRegex(
        @"average throughput:\s+(?<rate>[0-9]{1,12}(?:\.[0-9]+)?) MB/sec, I/O saturation: (?<saturation>[0-9]{1,18}), context switches (?<switches>[0-9]{1,18})"
    )]
    private static partial Regex FlushThroughput();

    [GeneratedRegex(@"last target outstanding: (?<target>[0-9]{1,18}), avgWriteLatency (?<ms>[0-9]{1,18})")]
    private static partial Regex FlushTarget();

    public static bool IsBackupStart(ReadOnlySpan<char> text) =>
        text.StartsWith("Backup/Restore buffer configuration parameters", StringComparison.Ordinal)
        || text.StartsWith("Memory limit:", StringComparison.Ordinal);

    /// <summary>Adds a line of trace flag 3213, such as <c>BufferCount: 7</c>.</summary>
    /// <returns>False if the line does not belong to the buffers of a backup.</returns>
    public static bool TryReadBackupLine(string text, ref ErrorLogEvent backup)
    {
        foreach (Match line in BackupLine().Matches(text))
            backup = AddBackupValue(line.Groups["name"].Value, line.Groups["value"].Value, line.Groups["unit"].Value, backup);
        var step = BackupStep().Match(text);
        if (step.Success)
            backup = backup with { Database = backup.Database ?? step.Groups["database"].Value };
        return step.Success || IsBackupStart(text) || BackupLine().IsMatch(text);
    }

    private static ErrorLogEvent AddBackupValue(string name, string value, string unit, ErrorLogEvent backup)
    {
        var number = ParseDouble(value);
        var bytes =
            number
            * (
                unit switch
                {
                    "KB" => 1024.0,
                    "MB" => 1024.0 * 1024,
                    "GB" => 1024.0 * 1024 * 1024,
                    _ => 1,
                }
            );
        return name switch
        {
            "Memory limit" => backup with { MemoryLimitMB = bytes / (1024 * 1024) },
            "BufferCount" or "Buffer count" => backup with { BufferCount = (int?)Math.Min(number, int.MaxValue) },
            "MaxTransferSize" or "Max transfer size" => backup with { MaxTransferSizeKB = bytes / 1024 },
            "Total buffer space" => backup with { TotalBufferMB = bytes / (1024 * 1024) },
            _ => backup,
        };
    }

    [GeneratedRegex(
        @"^[ \t]*(?<name>Memory limit|Buffer ?[Cc]ount|Sets Of Buffers|Max ?[Tt]ransfer ?[Ss]ize|Min MaxTransferSize|Total buffer space|Tabular data device count|Fulltext data device count|Filestream device count|TXF device count|Filesystem i/o alignment|Media Buffer count|Media Buffer size|Encode Buffer count):\s*(?<value>[0-9]{1,15})\s?(?<unit>KB|MB|GB)?\s*$",
        RegexOptions.Multiline
    )]
    private static partial Regex BackupLine();

    [GeneratedRegex(@"^(?:Backup|Restore)\((?<database>.{1,128}?)\): ")]
    private static partial Regex BackupStep();

    private static int? FindOnlyNumber(string text) => LoneNumber().Matches(text) is [var number] ? ParseInt(number.Value) : null;

    private static int? ParseInt(string digits) =>
        int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

    private static long? ParseLong(string digits) =>
        long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

    private static double ParseDouble(string text) => double.Parse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);

    private static long? ParseHex(ReadOnlySpan<char> digits) =>
        long.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var value) && value >= 0 ? value : null;
}
