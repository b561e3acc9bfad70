using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal static class FleetCommand
{
    private static readonly OptionName[] s_memberOptions = [new("Group"), new("Member"), new("GroupHosts")];

    /// <returns>
    /// The exit code of the member; null if this run is not a member, in which case the request has the tests of the specification.
    /// </returns>
    public static int? TryRunMember(CliConsole console, OptionValues values, PlanRequest request)
    {
        var plan = values.GetText(new OptionName("Specification"));
        var startAt = values.GetText(new OptionName("StartAt"));
        if (startAt is null)
        {
            if (Array.Find(s_memberOptions, values.Has) is { Name: not null } lost)
                throw IoBenchException.Usage(
                    FleetErrorIds.InvalidMemberOptions,
                    $"{lost} is for a member of a fleet: give {new OptionName("StartAt")} too."
                );
            if (plan is not null)
                request.Specifications = ReadPlan(console, plan);
            return null;
        }
        if (plan is null || values.GetText(new OptionName("Group")) is not { } group)
            throw IoBenchException.Usage(
                FleetErrorIds.InvalidMemberOptions,
                $"{new OptionName("StartAt")} makes this a member of a fleet: give {new OptionName("Specification")} and {new OptionName("Group")} too."
            );
        console.RequireOutput();
        var isLine = startAt.Equals("line", StringComparison.OrdinalIgnoreCase);
        var member = new FleetMemberRequest
        {
            Tests = ReadPlan(console, plan),
            Group = group,
            Member = values.GetText(new OptionName("Member")) ?? Environment.MachineName,
            StartAt = isLine ? null : StartTimeParser.Parse(startAt, DateTimeOffset.Now),
            Settings = request.Suite,
            Hosts = values.GetValue<int>(new OptionName("GroupHosts")),
            IsConfirmed = isLine,
        };
        using var run = new FleetMember(
            member,
            isLine ? console.Input : null,
            line =>
            {
                console.Data.Write(line + "\n");
                console.Data.Flush();
            }
        );
        var isComplete = run.Run(console.CancellationToken);
        if (request.Suite.RemoveTestFile)
            foreach (var fate in SuiteTestFiles.RemoveOwnFiles(run.Targets).Where(fate => fate.Error is not null))
                App.WriteError(console, fate.Text);
        return isComplete ? ExitCodes.Success
            : console.CancellationToken.IsCancellationRequested ? ExitCodes.Canceled
            : ExitCodes.Failed;
    }

    private static IReadOnlyList<IoTestSpecification> ReadPlan(CliConsole console, string file) =>
        file == "-"
            ? JsonResultSerializer.DeserializePlan(console.Input.ReadLine() ?? "", "standard input")
            : JsonResultSerializer.DeserializePlan(CancellableFileCall.Run(console, file, () => InputFiles.ReadAllText(file)), file);
}
