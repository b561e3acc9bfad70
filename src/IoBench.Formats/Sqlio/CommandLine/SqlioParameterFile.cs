using System.Globalization;
using System.Numerics;
using IoBench.Engine;

namespace IoBench.Formats;

/// <param name="Path">File, or a raw drive such as <c>E:</c> or <c>9:</c> (disk 9).</param>
/// <param name="Mask">CPUs of these threads as bits; 0 = any.</param>
/// <param name="SizeMB">Size in MiB; null = the current size of the file.</param>
public sealed record SqlioParameterLine(string Path, int Threads, ulong Mask, double? SizeMB, int LineNumber);

/// <summary>Reads lines of <c>file threads [mask [size in MB]]</c>. Format: "README file for sqlio v1.5", 1999.</summary>
public static class SqlioParameterFile
{
    private const int MaxFields = 3;

    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c> or <c>IoBench.InvalidParameterFile</c>.</exception>
    public static IReadOnlyList<SqlioParameterLine> ReadFile(string path) => TextInput.ReadText(path, reader => Read(reader, path));

    public static IReadOnlyList<SqlioParameterLine> Read(TextReader reader, string name)
    {
        ArgumentNullException.ThrowIfNull(reader);
        var lines = new List<SqlioParameterLine>();
        var number = 0;
        while (TextInput.ReadLine(reader, 4096) is { } text)
        {
            number++;
            text = WhiteSpaceNormalizer.Normalize(text).Trim();
            if (text.Length == 0 || text[0] == '#')
                continue;
            lines.Add(ParseLine(text, name, number));
            if (lines.Count > SqlioCommandLine.MaxFiles)
                throw CreateError(name, number, $"more than {SqlioCommandLine.MaxFiles} files, the maximum of SQLIO");
        }
        return lines.Count > 0
            ? lines
            : throw CreateError(name, Math.Max(number, 1), "no file is specified. Use a form such as  c:\\testfile.dat 2 0x0 100");
    }

    /// <summary>Converts a raw drive (<c>E:</c>, <c>9:</c>) to its Windows device path; returns any other path unchanged.</summary>
    public static string GetDevicePath(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path.Length < 2 || path[^1] != ':')
            return path;
        var name = path[..^1];
        if (name.All(char.IsAsciiDigit))
            return @"\\.\PhysicalDrive" + name;
        return name.Length == 1 && char.IsAsciiLetter(name[0]) ? @"\\.\" + path : path;
    }

    /// <summary>With several lines, each target gets the test's pattern with its own threads.</summary>
    public static void SetTargets(IoTestSpecification specification, IReadOnlyList<SqlioParameterLine> lines)
    {
        ArgumentNullException.ThrowIfNull(specification);
        ArgumentNullException.ThrowIfNull(lines);
        foreach (var line in lines)
        {
            var target = new IoTargetSpecification(GetDevicePath(line.Path));
            if (line.SizeMB is > 0 and < 8e12)
                target.FileSize = (long)Math.Round(line.SizeMB.Value * 1048576);
            if (lines.Count > 1)
                target.Pattern = CreatePoolPattern(specification, line.Threads, line.Mask);
            specification.Targets.Add(target);
        }
        if (lines.Count == 1)
            SetThreads(specification, lines[0].Threads, lines[0].Mask);
        else
            specification.ThreadCount = lines.Sum(l => l.Threads);
    }

    internal static IoPattern CreatePoolPattern(IoPattern test, int threads, ulong mask)
    {
        var pattern = test.ExtractPattern();
        SetThreads(pattern, threads, mask);
        return pattern;
    }

    internal static void SetThreads(IoPattern pattern, int threads, ulong mask)
    {
        pattern.ThreadCount = threads;
        if (mask != 0 || pattern.Processors.Count > 0)
            pattern.Processors = GetProcessors(mask);
        pattern.AffinityMode = mask == 0 ? IoAffinityMode.Off : IoAffinityMode.Mask;
    }

    internal static List<int> GetProcessors(ulong mask)
    {
        var processors = new List<int>(BitOperations.PopCount(mask));
        for (var i = 0; i < 64; i++)
            if ((mask >> i & 1) != 0)
                processors.Add(i);
        return processors;
    }

    /// <summary>Parses a mask: decimal, or hexadecimal after 0x.</summary>
    internal static bool TryParseMask(string text, out ulong mask) =>
        text.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
            ? ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out mask)
            : ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out mask);

    private static SqlioParameterLine ParseLine(string text, string name, int number)
    {
        var (path, fields) = text[0] is '"' or '“' ? SplitQuotedFields(text, name, number) : SplitFields(text);
        if (path.Length == 0)
            throw CreateError(name, number, "the file name is missing");
        // A control character or replacement character means that the text is not a parameter file.
        if (path.Any(c => char.IsControl(c) || c == '\uFFFD'))
            throw CreateError(name, number, "the line contains characters that are invalid in file names. Is the file a parameter file?");
        // Any text can be a file name. A single word or a text with spaces that is not followed by a number is probably not a line of a
        // parameter file.
        if (fields.Count == 0 && text[0] is not ('"' or '“') && !LooksLikePath(path))
            throw CreateError(
                name,
                number,
                $"the number of threads after '{path}' is missing. Use a form such as  c:\\testfile.dat 2 0x0 100, and put a name with spaces in quotation marks"
            );
        if (path.Length > SqlioCommandLine.MaxNameLength)
            throw CreateError(name, number, $"the file name is longer than {SqlioCommandLine.MaxNameLength} characters");
        var threads = 1;
        if (
            fields.Count > 0
            && (
                !int.TryParse(fields[0], NumberStyles.None, CultureInfo.InvariantCulture, out threads)
                || threads is < 1 or > SqlioCommandLine.MaxThreads
            )
        )
            throw CreateError(name, number, $"'{fields[0]}' is not a number of threads. Use 1 to {SqlioCommandLine.MaxThreads}");
        ulong mask = 0;
        if (fields.Count > 1 && !TryParseMask(fields[1], out mask))
            throw CreateError(name, number, $"'{fields[1]}' is not a CPU mask. Use a form such as 0x0 (any) or 0xF");
        double size = 0;
        if (
            fields.Count > 2
            && (
                !double.TryParse(fields[2], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out size)
                || size is <= 0 or > 8e12
            )
        )
            throw CreateError(name, number, $"'{fields[2]}' is not a size in MB");
        return new SqlioParameterLine(path, threads, mask, fields.Count > 2 ? size : null, number);
    }

    private static bool LooksLikePath(string text) => text.IndexOfAny([' ', '\t']) < 0 && text.IndexOfAny(['\\', '/', ':', '.']) >= 0;

    /// <summary>Splits from the right, because a name without quotation marks can contain spaces.</summary>
    private static (string Path, List<string> Fields) SplitFields(string text)
    {
        var words = text.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
        var count = words.Length;
        // A "#" after the fields starts a comment; a "#" within the name is part of the name.
        for (var i = 2; i < words.Length; i++)
        {
            if (words[i][0] == '#' && IsNumber(words[i - 1]))
            {
                count = i;
                break;
            }
        }
        var first = count;
        while (first > 1 && count - first < MaxFields && IsNumber(words[first - 1]))
            first--;
        // Only the second field, the mask, is hexadecimal. It shows where the fields start in "my file 2 4 0x0".
        var hex = Array.FindIndex(words, first, count - first, w => w.StartsWith("0x", StringComparison.OrdinalIgnoreCase));
        if (hex > first + 1)
            first = hex - 1;
        var end = 0;
        foreach (var word in words.Take(first))
            end = text.IndexOf(word, end, StringComparison.Ordinal) + word.Length;
        return (text[..end], words[first..count].ToList());
    }

    private static (string Path, List<string> Fields) SplitQuotedFields(string text, string name, int number)
    {
        var end = text.IndexOfAny(['"', '”'], 1);
        if (end < 0)
            throw CreateError(name, number, "the quotation mark is not closed");
        var rest = text[(end + 1)..];
        var comment = rest.IndexOf('#', StringComparison.Ordinal);
        if (comment >= 0)
            rest = rest[..comment];
        var fields = rest.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries).ToList();
        return fields.Count <= MaxFields
            ? (text[1..end], fields)
            : throw CreateError(name, number, "only threads, mask, and size can follow the file name");
    }

    private static bool IsNumber(string word) =>
        TryParseMask(word, out _) || double.TryParse(word, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out _);

    private static IoBenchException CreateError(string name, int number, string what) =>
        IoBenchException.InvalidData("IoBench.InvalidParameterFile", $"{name} line {NumberFormat.Integer(number)}: {what}.", name);
}
