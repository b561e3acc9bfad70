using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads a text of SQLIO or DiskSpd. A script can append the output of one tool to that of the other.</summary>
internal sealed class MixedTextReader
{
    private readonly Utf8LineReader _lines;
    private readonly string? _sourceFile;
    private readonly bool _startsWithSqlio;
    private readonly Queue<IoTestResult> _results = new();

    // Most texts have the output of one tool, so the parser of the other one is created when it is needed.
    private SqlioTextParser? _sqlio;
    private DiskSpdTextParser? _diskSpd;
    private bool _inSqlio;
    private bool _isMixed;
    private string? _warning;
    private char[] _chars = [];

    private MixedTextReader(Stream utf8, string? sourceFile, bool startsWithSqlio)
    {
        _lines = new Utf8LineReader(utf8);
        _sourceFile = sourceFile;
        _startsWithSqlio = startsWithSqlio;
        _inSqlio = startsWithSqlio;
        if (startsWithSqlio)
            _sqlio = new SqlioTextParser(sourceFile, _results);
        else
            _diskSpd = new DiskSpdTextParser(sourceFile, _results);
    }

    /// <summary>Reads the results one at a time. Only one run is in memory.</summary>
    /// <exception cref="IoBenchException">Thrown during enumeration: a text of DiskSpd without output.</exception>
    internal static IEnumerable<IoTestResult> Read(Stream utf8, string? sourceFile, bool startsWithSqlio)
    {
        var reader = new MixedTextReader(utf8, sourceFile, startsWithSqlio);
        while (reader.ReadUntilResult())
        {
            while (reader._results.TryDequeue(out var result))
                yield return reader.AddWarning(result);
        }
        reader.EndText();
        while (reader._results.TryDequeue(out var result))
            yield return reader.AddWarning(result);
        if (!startsWithSqlio && !reader._isMixed && !reader._diskSpd!.HasDiskSpdOutput)
            throw DiskSpdFormat.CreateNoTextResultsError(reader._diskSpd.HasUsageText, reader._lines.LineNumber, sourceFile);
    }

    /// <summary>False at the end of the text.</summary>
    private bool ReadUntilResult()
    {
        while (_lines.TryRead(out var line))
        {
            if (_inSqlio ? IsDiskSpdStart(line) : IsSqlioStart(line))
                SwitchTool();
            if (_inSqlio)
            {
                _sqlio!.ParseLine(line, _lines.LineNumber, _lines.WasCut, _lines.HadEnd || !_startsWithSqlio);
            }
            else
            {
                if (line.Length > _chars.Length)
                    _chars = new char[Math.Max(256, line.Length)];
                _diskSpd!.ParseLine(_chars.AsSpan(0, TextEncodings.Utf8Or1252.GetChars(line, _chars)), _lines.LineNumber);
            }
            if (_results.Count > 0)
                return true;
        }
        return false;
    }

    private void SwitchTool()
    {
        if (_inSqlio)
            _sqlio!.EndText();
        else
            _diskSpd!.EndText();
        _inSqlio = !_inSqlio;
        _sqlio ??= new SqlioTextParser(_sourceFile, _results);
        _diskSpd ??= new DiskSpdTextParser(_sourceFile, _results);
        _isMixed = true;
        if (_inSqlio != _startsWithSqlio)
            _warning = _inSqlio
                ? $"line {_lines.LineNumber}: SQLIO output begins here, but the text before this line is DiskSpd output."
                : $"Line {_lines.LineNumber}: DiskSpd output begins here, but the text before this line is SQLIO output.";
    }

    /// <summary>The tool that started the text is last.</summary>
    private void EndText()
    {
        if (_inSqlio)
            _sqlio!.EndText();
        _diskSpd?.EndText();
        if (!_inSqlio)
            _sqlio?.EndText();
    }

    private IoTestResult AddWarning(IoTestResult result)
    {
        if (_warning is null || (result.Source == SqlioFormat.Source) == _startsWithSqlio)
            return result;
        result.Warnings.Insert(0, _warning);
        _warning = null;
        return result;
    }

    /// <summary>Scripts print SQLIO's command line with the same prefix. Called for every line, so the first letter decides.</summary>
    private static bool IsDiskSpdStart(ReadOnlySpan<byte> line)
    {
        if (line.IsEmpty || line[0] is not ((byte)'I' or (byte)'C'))
            return false;
        return line.StartsWith("Input parameters:"u8)
            || (
                line.StartsWith("Command Line:"u8) && !Encoding.ASCII.GetString(line).Contains("sqlio", StringComparison.OrdinalIgnoreCase)
            );
    }

    private static bool IsSqlioStart(ReadOnlySpan<byte> line)
    {
        if (line.Length < 8)
            return false;
        if (line[0] is (byte)'s' or (byte)'S')
            return Ascii.EqualsIgnoreCase(line[..7], "sqlio v"u8) && SqlioLineScanner.IsDigit(line[7]);
        return line[1] == ':'
            && line[2] == '\\'
            && line.IndexOf((byte)'>') > 0
            && SqlioSurroundingLines.TryGetCommandLine(line[..Math.Min(line.Length, 4096)], out _);
    }
}
