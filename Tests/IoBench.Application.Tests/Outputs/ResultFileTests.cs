using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed class ResultFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-test-").FullName;

    private string File1 => Path.Combine(_folder, "night.json");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void JSON_file_is_complete_after_each_result()
    {
        using var file = ResultOutputFile.Create(File1, ResultFormat.Json);
        for (var number = 0; number < 4; number++)
        {
            var result = new IoTestResult
            {
                RunId = $"{number}",
                Label = new string('x', 40_000 * number),
                Warnings = ["a\nb"],
            };
            if (number % 2 == 0)
                file.Add(result);
            else
                file.AddAll([result, new IoTestResult { RunId = "and another" }]);
            using var all = new StringWriter();
            JsonFormat.Write(all, file.Results);
            Assert.Equal(all.ToString(), File.ReadAllText(File1));
            Assert.Equal([File1], Directory.GetFiles(_folder));
        }
    }

    [Fact]
    public void Results_are_saved_in_one_file_if_open_files_cannot_be_replaced()
    {
        using (
            var file = ResultOutputFile.Create(
                File1,
                ResultFormat.Json,
                replace: false,
                new OpenFileBlockingOutputFiles(PlatformOutputFiles.Current)
            )
        )
        {
            for (var number = 0; number < 4; number++)
                file.Add(new IoTestResult { RunId = $"{number}" });
        }
        Assert.Equal(["0", "1", "2", "3"], ResultReader.ReadFile(File1).Select(r => r.RunId));
        Assert.Equal([File1], Directory.GetFiles(_folder));
    }

    [Fact]
    public void Rows_are_appended_to_one_table_if_open_files_cannot_be_replaced()
    {
        var table = Path.Combine(_folder, "night.csv");
        using (var first = ResultOutputFile.Create(table, ResultFormat.Csv))
            first.Add(new IoTestResult { RunId = "0" });
        using (var second = ResultOutputFile.Append(table, ResultFormat.Csv, new OpenFileBlockingOutputFiles(PlatformOutputFiles.Current)))
        {
            second.Add(new IoTestResult { RunId = "1" });
            second.Add(new IoTestResult { RunId = "2" });
        }
        Assert.Equal(["0", "1", "2"], ResultReader.ReadFile(table).Select(r => r.RunId));
        Assert.Equal([table], Directory.GetFiles(_folder));
    }

    [Theory]
    [InlineData(ResultFormat.Json)]
    [InlineData(ResultFormat.Csv)]
    public void Streamed_results_are_written_and_released(ResultFormat format)
    {
        var taken = new List<string>();
        using (var file = ResultOutputFile.Create(File1, format))
        {
            file.SaveStreamed(Coming());
            Assert.Empty(file.Results);
        }
        Assert.Equal(["0", "1", "2"], ResultReader.ReadFile(File1, format).Select(result => result.RunId!));
        Assert.Equal(["0 empty", "1 empty", "2 empty"], taken);

        IEnumerable<IoTestResult> Coming()
        {
            for (var number = 0; number < 3; number++)
            {
                var result = new IoTestResult { RunId = $"{number}" };
                yield return result;
                // The consumer of the next result no longer needs this one.
                result.RunId = null;
                taken.Add($"{number} {(new FileInfo(File1).Length == 0 ? "empty" : "saved")}");
            }
        }
    }

    [Fact]
    public void Empty_result_stream_saves_no_file()
    {
        using (var file = ResultOutputFile.Create(File1, ResultFormat.Json))
            file.SaveStreamed([]);
        Assert.False(File.Exists(File1));
    }

    [Fact]
    public void Interrupted_file_is_resumed()
    {
        using (var first = ResultOutputFile.Create(File1, ResultFormat.Json))
        {
            first.Add(new IoTestResult { RunId = "1" });
            first.Add(new IoTestResult { RunId = "2" });
        }
        using var second = ResultOutputFile.Resume(File1, ResultFormat.Json);
        Assert.Equal(["1", "2"], second.Results.Select(r => r.RunId));
        second.Add(new IoTestResult { RunId = "3" });
        second.Add(new IoTestResult { RunId = "4" });
        Assert.Equal(["1", "2", "3", "4"], ResultReader.ReadFile(File1).Select(r => r.RunId));
    }

    [Fact]
    public void Resumed_file_that_does_not_exist_starts_at_the_first_result()
    {
        using (var none = ResultOutputFile.Resume(File1, ResultFormat.Json))
            Assert.Empty(none.Results);
        Assert.Empty(Directory.GetFiles(_folder));
        using var file = ResultOutputFile.Resume(File1, ResultFormat.Json);
        file.Add(new IoTestResult { RunId = "1" });
        Assert.Single(ResultReader.ReadFile(File1));
    }

    [Fact]
    public void External_change_of_the_file_loses_no_result()
    {
        using var file = ResultOutputFile.Create(File1, ResultFormat.Json);
        file.Add(new IoTestResult { RunId = "1" });
        file.Add(new IoTestResult { RunId = "2" });
        File.WriteAllText(File1, "[");
        file.Add(new IoTestResult { RunId = "3" });
        Assert.Equal("[", File.ReadAllText(File1));
        Assert.Equal(["1", "2", "3"], ResultReader.ReadFile(file.Output.Path).Select(r => r.RunId));
        File.Delete(file.Output.Path);
        file.Add(new IoTestResult { RunId = "4" });
        Assert.Equal(["1", "2", "3", "4"], ResultReader.ReadFile(file.Output.Path).Select(r => r.RunId));
    }

    [Fact]
    public void Result_that_cannot_be_saved_is_saved_with_the_next()
    {
        var inner = Path.Combine(_folder, "inner");
        Directory.CreateDirectory(inner);
        var path = Path.Combine(inner, "night.json");
        using var file = ResultOutputFile.Create(path, ResultFormat.Json);
        Directory.Delete(inner, recursive: true);
        var error = Assert.Throws<IoBenchException>(() => file.Add(new IoTestResult { RunId = "1" }));
        Assert.Equal(("IoBench.OutputFailed", path), (error.ErrorId, error.Target));
        Directory.CreateDirectory(inner);
        file.Add(new IoTestResult { RunId = "2" });
        Assert.Equal(["1", "2"], ResultReader.ReadFile(path).Select(r => r.RunId));
    }

    [Fact]
    public void Only_JSON_files_can_be_resumed()
    {
        var path = Path.Combine(_folder, "night.csv");
        using var file = ResultOutputFile.Create(path, ResultFormat.Csv);
        file.Add(new IoTestResult { IOPS = 1 });
        file.Add(new IoTestResult { IOPS = 2 });
        Assert.Equal([1, 2], ResultReader.ReadFile(path).Select(r => r.IOPS!.Value));
        Assert.Equal(
            "IoBench.CannotResume",
            Assert.Throws<IoBenchException>(() => ResultOutputFile.Resume(path, ResultFormat.Csv)).ErrorId
        );
    }
}
