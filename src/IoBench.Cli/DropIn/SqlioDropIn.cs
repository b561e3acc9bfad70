using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary>SQLIO 1.5's arguments and text output. Its exit codes are not known, so IoBench's own are used.</summary>
internal static class SqlioDropIn
{
    public static int Run(IReadOnlyList<string> args, TestRunOptions options, CliConsole console)
    {
        if (args.Count == 0 || SqlioCommandLine.IsUsageRequested(args))
        {
            WriteUsage(console.Out);
            // Without arguments, SQLIO ran its defaults on a new file. A user who only wants help should not get that.
            return args.Count == 0 ? ExitCodes.Usage : ExitCodes.Success;
        }
        IReadOnlyList<SqlioParameterLine> lines = [];
        var specification = SqlioCommandLine.Parse(
            args,
            name =>
            {
                lines = SqlioCommandLine.ReadParameterFile(name);
                return lines;
            }
        );
        if (specification.GetOrAddOrigin().OutputFile is not null)
            throw IoBenchException.Usage("IoBench.Usage", "sqlio: > is a shell operator. Put it outside the quotation marks.");
        if (LegacyToolTests.FindTargetError([specification], (test, i) => CreateMissingFileError(test, i, lines)) is { } refusal)
            throw AddLocation(refusal, specification, lines);
        if (specification.GetOrAddOrigin().Sqlio?.Note is { } note)
            console.Error.WriteLine("Note: " + note);
        // After Ctrl+C, SQLIO printed its normal output for the elapsed time.
        var outcome = DropInCommands.RunTests(
            console,
            options,
            [specification],
            result =>
            {
                if (result.IOPS is not null)
                    SqlioFormat.Write(console.Data, result);
            }
        );
        return DropInCommands.ReportEnd(outcome, "sqlio", console, error => error.ExitCode);
    }

    private static IoBenchException CreateMissingFileError(IoTestSpecification test, int target, IReadOnlyList<SqlioParameterLine> lines)
    {
        var path = test.Targets[target].Path;
        return lines.Count > 0
            ? IoBenchException.NotFound(
                "IoBench.FileNotFound",
                $"{path} does not exist, and its line in the parameter file has no size. For example, use the line  {path} {lines[target].Threads} 0x0 1024  for 1 GB, or specify an existing file.",
                path
            )
            : IoBenchException.NotFound(
                "IoBench.FileNotFound",
                $"{path} does not exist, and SQLIO has no option for the size of a new file.",
                path,
                advice: $"Use a parameter file (-Fparam.txt) with the line  {path} {test.ThreadCount} 0x0 1024  for 1 GB, or specify an existing file."
            );
    }

    private static IoBenchException AddLocation(IoBenchException error, IoTestSpecification test, IReadOnlyList<SqlioParameterLine> lines)
    {
        var target = test.Targets.FindIndex(t => t.Path == error.Target);
        return target < 0 || target >= lines.Count
            ? error
            : error.WithSubject($"{test.GetOrAddOrigin().Sqlio!.ParameterFile} line {lines[target].LineNumber}");
    }

    private static void WriteUsage(TextWriter output)
    {
        output.WriteLine(
            "iobench sqlio [options] [file …] accepts the options of SQLIO 1.5, with the same meanings. Defaults are in parentheses."
        );
        output.WriteLine();
        (string Options, string Meaning)[] lines =
        [
            ("-kR, -kW", "read (the default) or write"),
            ("-s<seconds> -t<threads> -o<outstanding>", "seconds of measurement (30), threads (1), outstanding I/Os per thread (1)"),
            ("-b<KB> -frandom -fsequential", "block size in KB (2), access pattern"),
            ("-f<blocks> -i<I/Os> -S<block> -v1.1.1", "columns (64) and rows (64) of a stripe, first block, stay in one column"),
            ("-BN, -BH, -BS, -BY", "caches: none (default, like SQL Server), hardware, software, or both"),
            ("-LS, -LP -U[p]", "print latency, print CPU usage"),
            ("-F<parameter file>", "each line: file threads [mask [size in MB]]; if there is a size, IoBench creates the file"),
            ("-d<letters> -R<drives> -a[R]<mask> -p<cpu>", "test the file on several drives, raw drives, CPUs"),
        ];
        foreach (var (options, meaning) in lines)
            output.WriteLine($"  {options, -44} {meaning}");
        output.WriteLine();
        output.WriteLine(
            "Example: iobench sqlio -kR -s60 -frandom -o8 -b8 -LS -Fparam.txt, with the line  /data/testfile.dat 2 0x0 20480  in param.txt."
        );
        output.WriteLine("Not supported: -m, -D, -pI, -aI. For each option and its name in iobench run, see docs/how-to/from-sqlio.md.");
    }
}
