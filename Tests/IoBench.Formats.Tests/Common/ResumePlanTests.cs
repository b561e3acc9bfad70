using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class ResumePlanTests
{
    private static IReadOnlyList<IoTestSpecification> Plan() => TestPlan.Create(new TestPlanRequest { Paths = ["t.dat"], OutstandingIOs = [1, 2, 4], Repeat = 2 });

    private static IoTestResult Done(IoTestSpecification test, IoResultStatus status = IoResultStatus.Complete) => new() { Specification = test.Clone(), Status = status };

    [Fact]
    public void WhatIsCompleteIsNotRunAgain()
    {
        var plan = Plan();
        var remaining = ResumePlan.Remaining(plan, [Done(plan[0]), Done(plan[4]), Done(plan[1], IoResultStatus.Cancelled), new IoTestResult()]);
        Assert.Equal([(2, 1), (4, 1), (1, 2), (4, 2)], remaining.Select(t => (t.OutstandingIO, t.Repeat!.Value)));
    }

    [Fact]
    public void EqualTestsCountAsOftenAsTheyAreThere()
    {
        var twice = TestPlan.Create(new TestPlanRequest { Paths = ["t.dat"], Workloads = ["oltp", "oltp"] });
        Assert.Single(ResumePlan.Remaining(twice, [Done(twice[0])]));
        Assert.Empty(ResumePlan.Remaining(twice, [Done(twice[0]), Done(twice[1])]));
    }

    [Fact]
    public void AnotherQuestionIsAnotherTest()
    {
        var plan = TestPlan.Create(new TestPlanRequest { Paths = ["t.dat"] });
        foreach (var request in new[]
        {
            new TestPlanRequest { Paths = ["u.dat"] },
            new TestPlanRequest { Paths = ["t.dat"], Duration = TimeSpan.FromSeconds(31) },
            new TestPlanRequest { Paths = ["t.dat"], Buffering = IoBuffering.Both },
            new TestPlanRequest { Paths = ["t.dat"], FileSizes = [1 << 20] },
            new TestPlanRequest { Paths = ["t.dat"], Labels = ["x"] },
        })
            Assert.Single(ResumePlan.Remaining(TestPlan.Create(request), [Done(plan[0])]));
    }

    [Fact]
    public void AResultReadFromItsFileStandsForItsTest()
    {
        foreach (var name in WorkloadCatalog.Suites.Select(suite => suite.Name).Append("page-read-qd1"))
        {
            var plan = TestPlan.Create(new TestPlanRequest { Paths = ["t.dat"], Workloads = [name], Idle = TimeSpan.FromSeconds(5), Repeat = 2 });
            var read = JsonResultTests.Read(JsonResultTests.Write([.. plan.Select(test => Done(test))]));
            Assert.Empty(ResumePlan.Remaining(plan, read));
        }
    }

    [Fact]
    public void WhereATestComesFromAndHowAPathIsWrittenDoNotMatter()
    {
        using var folder = new TemporaryFolder();
        var test = new IoTestSpecification { Targets = [new IoTargetSpecification(folder.Path)] };
        var same = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(Path.GetRelativePath(Environment.CurrentDirectory, Path.Combine(folder.Path, "x", "..", "iobench.dat")))],
            RestBefore = TimeSpan.FromMinutes(1), WorkloadRole = "log", CommandLine = "sqlio -kR", SourceFile = "a.bat", SourceLine = 3, OutputFile = "out.txt",
            StorageCacheSize = 1 << 30, ObservedLatencyMs = 2,
        };
        Assert.Empty(ResumePlan.Remaining([test], [Done(same)]));
    }

    [Fact]
    public void EveryOtherPropertyIsPartOfTheQuestion()
    {
        var key = ResumePlan.KeyOf(new IoTestSpecification { Targets = [new IoTargetSpecification("t.dat") { Pattern = new IoPattern() }] });
        foreach (var property in typeof(IoTestSpecification).GetProperties().Where(p => p.CanWrite && p.PropertyType is { IsValueType: true }
            && p.Name is not ("RestBefore" or "SourceLine" or "StorageCacheSize" or "ObservedLatencyMs")))
        {
            var test = new IoTestSpecification { Targets = [new IoTargetSpecification("t.dat") { Pattern = new IoPattern() }] };
            property.SetValue(test, Another(property.PropertyType, property.GetValue(test)));
            Assert.True(key != ResumePlan.KeyOf(test), property.Name);
        }
    }

    private static object Another(Type type, object? value)
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
