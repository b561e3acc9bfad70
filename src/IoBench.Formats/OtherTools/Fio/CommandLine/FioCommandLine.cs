using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Converts fio's command lines and job files to tests. Jobs that run concurrently become the targets of one test.</summary>
public static class FioCommandLine
{
    /// <summary>Parses a line of a batch file or a prompt, including the program's name.</summary>
    public static CommandLineTests ParseLine(string line, string? folder = null)
    {
        ArgumentNullException.ThrowIfNull(line);
        var words = SplitWords(line);
        var program = words.FindIndex(ToolName.IsFio);
        var tests = Parse([.. words.Skip(program + 1)], folder);
        foreach (var test in tests.Specifications)
            test.GetOrAddOrigin().CommandLine = line.Trim();
        return tests;
    }

    /// <param name="args">Arguments without the program's name.</param>
    public static CommandLineTests Parse(IReadOnlyList<string> args, string? folder = null)
    {
        ArgumentNullException.ThrowIfNull(args);
        var call = new FioCallParser(folder);
        call.ParseArguments(args);
        return FioTestMapper.MapJobs(call.Sections, null, call.OutputFile);
    }

    /// <summary>Reads the tests of a job file.</summary>
    public static CommandLineTests ReadJobFile(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        var sections = FioJobFileReader.Read(reader);
        return sections.Count == 0
            ? throw IoBenchException.InvalidData(
                "IoBench.NoCommandLines",
                $"{sourceFile ?? "The job file"} has no job. It contains only [global].",
                sourceFile
            )
            : FioTestMapper.MapJobs(sections, sourceFile, null);
    }

    /// <summary>As Linux shells and the Windows prompt do: at spaces outside single or double quotation marks.</summary>
    internal static List<string> SplitWords(string line)
    {
        var words = new List<string>();
        var word = new StringBuilder();
        var started = false;
        var quote = '\0';
        for (var i = 0; i < line.Length; i++)
        {
            var c = line[i];
            if (quote != '\0' ? c == quote : c is '"' or '\'')
            {
                quote = quote == '\0' ? c : '\0';
                started = true;
            }
            else if (quote == '\0' && char.IsWhiteSpace(c))
            {
                Flush();
            }
            else if (quote == '\0' && c == '>')
            {
                i = TakeRedirection(i);
            }
            else
            {
                word.Append(c);
                started = true;
            }
        }
        Flush();
        return words;

        // "2>&1" is one word, so only a digit belongs to the redirection. Any other word ends before ">".
        int TakeRedirection(int at)
        {
            if (word.ToString() is not ("1" or "2"))
                Flush();
            var end = at + 1;
            while (end < line.Length && line[end] is '>' or '&' or '1' && (line[end] != '1' || line[end - 1] == '&'))
                end++;
            word.Append(line, at, end - at);
            started = true;
            Flush();
            return end - 1;
        }

        void Flush()
        {
            if (started)
                words.Add(word.ToString());
            word.Clear();
            started = false;
        }
    }
}
