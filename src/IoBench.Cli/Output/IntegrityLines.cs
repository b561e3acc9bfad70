using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal static class IntegrityLines
{
    public const int MaxShown = 10;

    public static void Write(CliConsole console, IReadOnlyList<IoTestResult> results)
    {
        foreach (var integrity in results.Select(result => result.Integrity).OfType<IoIntegrity>().Where(i => i.ErrorCount > 0))
            Details(console.Error, integrity);
    }

    public static void Write(CliConsole console, IoTestResult result, ResultFormat? format)
    {
        if (format is { } wanted)
        {
            ResultWriter.Write(console.DataOf(wanted), [result], wanted);
            return;
        }
        foreach (var answer in IntegrityAnswer.Find([result]))
        {
            console.Out.WriteLine(answer.Summary);
            foreach (var (name, value) in answer.Integrity.Crash!.Facts)
                console.Out.WriteLine($"  {name}: {value}");
            Details(console.Out, answer.Integrity);
        }
    }

    public static void Details(TextWriter writer, IoIntegrity integrity)
    {
        foreach (var error in integrity.Errors.Take(MaxShown))
            writer.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {error.Time:HH:mm:ss.fff} {IntegrityText.Of(error)}"));
        if (integrity.ErrorCount > MaxShown)
            writer.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"  ... {integrity.ErrorCount - Math.Min(MaxShown, integrity.Errors.Count):#,##0} more"
                )
            );
    }
}
