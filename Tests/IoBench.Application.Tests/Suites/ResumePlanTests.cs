using IoBench.Engine;
using IoBench.Formats;
using IoBench.Workloads;

namespace IoBench.Application.Tests;

public class ResumePlanTests
{
    private static IReadOnlyList<IoTestSpecification> CreatePlan() =>
        TestPlanner.Create(new PlanRequest { Paths = ["t.dat"], Repeat = 2 }.Set("OutstandingIO", new object[] { 1, 2, 4 })).Tests;

    private static IoTestResult CreateResult(IoTestSpecification test, IoResultStatus status = IoResultStatus.Complete) =>
        new() { Specification = test.Clone(), Status = status };

    [Fact]
    public void Completed_tests_are_not_run_again()
    {
        var plan = CreatePlan();
        var remaining = ResumePlan.GetRemainingTests(
            plan,
            [CreateResult(plan[0]), CreateResult(plan[4]), CreateResult(plan[1], IoResultStatus.Cancelled), new IoTestResult()]
        );
        Assert.Equal([(2, 1), (4, 1), (1, 2), (4, 2)], remaining.Select(t => (t.OutstandingIO, t.Repeat!.Value)));
    }

    [Fact]
    public void Each_result_completes_one_of_several_equal_tests()
    {
        var twice = TestPlanner.Create(new PlanRequest { Paths = ["t.dat"], Workloads = ["oltp", "oltp"] }).Tests;
        Assert.Single(ResumePlan.GetRemainingTests(twice, [CreateResult(twice[0])]));
        Assert.Empty(ResumePlan.GetRemainingTests(twice, [CreateResult(twice[0]), CreateResult(twice[1])]));
    }

    [Fact]
    public void Different_settings_are_a_different_test()
    {
        var plan = TestPlanner.Create(new PlanRequest { Paths = ["t.dat"] }).Tests;
        foreach (
            var request in new[]
            {
                new PlanRequest { Paths = ["u.dat"] },
                new PlanRequest { Paths = ["t.dat"] }.Set("Buffering", IoBuffering.Both),
                new PlanRequest { Paths = ["t.dat"] }.Set("FileSize", new object[] { 1 << 20 }),
                new PlanRequest { Paths = ["t.dat"], Labels = ["x"] },
            }
        )
            Assert.Single(ResumePlan.GetRemainingTests(TestPlanner.Create(request).Tests, [CreateResult(plan[0])]));
    }

    [Fact]
    public void Results_of_another_computer_are_refused()
    {
        var plan = CreatePlan();
        var done = CreateResult(plan[0]);
        done.ComputerName = "SQL1";
        var error = Assert.Throws<IoBenchException>(() => ResumePlan.GetRemainingTests(plan, [done], "SQL2"));
        Assert.Equal(("IoBench.ResumeOtherComputer", 2), (error.ErrorId, error.ExitCode));
        Assert.Contains("from the computer SQL1, but this computer is SQL2", error.Message, StringComparison.Ordinal);
        Assert.Equal(plan.Count - 1, ResumePlan.GetRemainingTests(plan, [done], "sql1").Count);
        done.ComputerName = null;
        Assert.Equal(plan.Count - 1, ResumePlan.GetRemainingTests(plan, [done], "SQL2").Count);
    }

    [Fact]
    public void Resume_with_another_duration_throws()
    {
        var done = CreateResult(
            TestPlanner.Create(new PlanRequest { Paths = ["t.dat"] }.Set("Duration", TimeSpan.FromSeconds(10))).Tests[0]
        );
        var error = Assert.Throws<IoBenchException>(() =>
            ResumePlan.GetRemainingTests(TestPlanner.Create(new PlanRequest { Paths = ["t.dat"] }).Tests, [done])
        );
        Assert.Equal("IoBench.ResumeDiffers", error.ErrorId);
        Assert.Contains("--duration 10s", error.Text.Render(CliSpelling.Default), StringComparison.Ordinal);
        // In a suite with several durations, each result completes the test of its duration.
        var both = TestPlanner.Create(new PlanRequest { Paths = ["t.dat"], Workloads = ["cloud-disk"] }).Tests;
        Assert.Equal(both.Count - 1, ResumePlan.GetRemainingTests(both, [CreateResult(both[0])]).Count);
    }

    [Fact]
    public void Message_states_completed_and_remaining_tests()
    {
        Assert.Equal(
            (
                "The output contains the results of 1 of 9 tests. IoBench runs the other 8.",
                "The output contains the results of 8 of 9 tests. IoBench runs the other one."
            ),
            (ResumePlan.DescribeProgress(9, 8), ResumePlan.DescribeProgress(9, 1))
        );
        Assert.Equal(
            "The output already contains the result of the only test, so there is nothing to run.",
            ResumePlan.DescribeProgress(1, 0)
        );
        Assert.Equal(
            "The output already contains the results of both tests, so there is nothing to run.",
            ResumePlan.DescribeProgress(2, 0)
        );
        Assert.Equal(
            "The output already contains the results of all 9 tests, so there is nothing to run.",
            ResumePlan.DescribeProgress(9, 0)
        );
        Assert.Equal("The output does not contain the result of the test yet. IoBench runs the test.", ResumePlan.DescribeProgress(1, 1));
    }

    [Fact]
    public void Result_read_from_a_file_completes_its_test()
    {
        foreach (var name in WorkloadCatalog.Suites.Select(suite => suite.Name).Append("page-read-qd1"))
        {
            var plan = TestPlanner
                .Create(
                    new PlanRequest
                    {
                        Paths = ["t.dat"],
                        Workloads = [name],
                        Idle = TimeSpan.FromSeconds(5),
                        Repeat = 2,
                    }
                )
                .Tests;
            var text = new StringWriter();
            ResultWriter.Write(text, [.. plan.Select(test => CreateResult(test))], ResultFormat.Json);
            var file = Path.GetTempFileName();
            File.WriteAllText(file, text.ToString());
            var read = ResultReader.ReadFile(file).ToList();
            File.Delete(file);
            Assert.Empty(ResumePlan.GetRemainingTests(plan, read));
        }
    }

    [Fact]
    public void Origin_and_path_notation_do_not_change_the_test_key()
    {
        using var folder = new TemporaryFolder();
        var test = new IoTestSpecification { Targets = [new IoTargetSpecification(folder.Path)] };
        var same = new IoTestSpecification
        {
            Targets =
            [
                new IoTargetSpecification(
                    Path.GetRelativePath(Environment.CurrentDirectory, Path.Combine(folder.Path, "x", "..", "iobench.dat"))
                ),
            ],
            RestBefore = TimeSpan.FromMinutes(1),
            WorkloadRole = "log",
            Extension = new TestOrigin
            {
                CommandLine = "sqlio -kR",
                SourceFile = "a.bat",
                SourceLine = 3,
                OutputFile = "out.txt",
            },
            StorageCacheSize = 1 << 30,
            ObservedLatencyMs = 2,
        };
        Assert.Empty(ResumePlan.GetRemainingTests([test], [CreateResult(same)]));
    }

    [Fact]
    public void Every_other_property_changes_the_test_key()
    {
        var key = ResumePlan.GetTestKey(
            new IoTestSpecification { Targets = [new IoTargetSpecification("t.dat") { Pattern = new IoPattern() }] }
        );
        foreach (
            var property in typeof(IoTestSpecification)
                .GetProperties()
                .Where(p =>
                    p.CanWrite
                    && p.PropertyType is { IsValueType: true }
                    && p.Name
                        is not ("RestBefore" or "PreconditionsFirst" or "StorageCacheSize" or "ObservedLatencyMs" or "Seed" or "SeedBase")
                )
        )
        {
            var test = new IoTestSpecification { Targets = [new IoTargetSpecification("t.dat") { Pattern = new IoPattern() }] };
            property.SetValue(test, GetOtherValue(property.PropertyType, property.GetValue(test)));
            Assert.True(key != ResumePlan.GetTestKey(test), property.Name);
        }
    }

    private static object GetOtherValue(Type type, object? value)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        return type == typeof(bool) ? !(bool)value!
            : type == typeof(TimeSpan) ? TimeSpan.FromSeconds(77)
            : type.IsEnum ? Enum.GetValues(type).Cast<object>().First(v => !v.Equals(value))
            : Convert.ChangeType(77, type, System.Globalization.CultureInfo.InvariantCulture);
    }

    private sealed class TemporaryFolder : IDisposable
    {
        public string Path { get; } = Directory.CreateTempSubdirectory("iobench-test-").FullName;

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}
