using System.Text.Json;
using System.Text.Json.Nodes;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>Puts control characters into each text of a result in turn, and writes it in each format.</summary>
public class ControlCharacterTests
{
    private const string Nasty = "a\u001b]0;x\u0007b\u009bc\r\nIOs/sec: 9";

    // CSV keeps all characters, so that its reader returns them. A terminal gets them escaped.
    [Theory]
    [InlineData(ResultFormat.Sqlio)]
    [InlineData(ResultFormat.DiskSpd)]
    [InlineData(ResultFormat.DiskSpdXml)]
    [InlineData(ResultFormat.Fio)]
    [InlineData(ResultFormat.Json)]
    public void Control_characters_of_a_text_are_escaped_in_each_format(ResultFormat format)
    {
        var count = 0;
        foreach (var result in CreateResults())
        {
            if (TryWrite(result, format) is not { } text)
                continue;
            count++;
            Assert.DoesNotContain('\u001b', text);
            Assert.DoesNotContain('\u0007', text);
            Assert.DoesNotContain("\nIOs/sec: 9", text, StringComparison.Ordinal);
            if (format is ResultFormat.Sqlio or ResultFormat.DiskSpd)
                Assert.True(SafeText.IsSafe(text, keepLines: true), text);
        }
        Assert.True(count > 0, "No result could be written.");
    }

    private static IEnumerable<IoTestResult> CreateResults()
    {
        var samples = new[]
        {
            ResultReader.ReadFile(SampleFiles.GetPath("documents/write-8k-sequential-BN.txt")).First(),
            new DiskSpdResultGenerator(new Random(1), xml: false).CreateResult(),
            new DiskSpdResultGenerator(new Random(2), xml: true).CreateResult(),
        };
        foreach (var sample in samples)
        {
            var json = JsonResultSerializer.SerializeToElement(sample).GetRawText();
            var texts = FindTexts(JsonNode.Parse(json)!).Count;
            for (var i = 0; i < texts; i++)
            {
                var root = JsonNode.Parse(json)!;
                FindTexts(root)[i].ReplaceWith(Nasty);
                if (TryRead(root.ToJsonString()) is { } changed)
                    yield return changed;
            }
            sample.ComputerName = Nasty;
            yield return sample;
        }
    }

    private static List<JsonNode> FindTexts(JsonNode node) =>
        node switch
        {
            JsonObject map => [.. map.Select(item => item.Value).OfType<JsonNode>().SelectMany(FindTexts)],
            JsonArray list => [.. list.OfType<JsonNode>().SelectMany(FindTexts)],
            _ => node.GetValueKind() == JsonValueKind.String ? [node] : [],
        };

    /// <returns>Null for a text that must be a word or a number.</returns>
    private static IoTestResult? TryRead(string json)
    {
        try
        {
            return JsonResultSerializer.DeserializeResult(System.Text.Encoding.UTF8.GetBytes(json));
        }
        catch (IoBenchException)
        {
            return null;
        }
    }

    /// <returns>Null if the format cannot represent the result.</returns>
    private static string? TryWrite(IoTestResult result, ResultFormat format)
    {
        using var writer = new StringWriter();
        try
        {
            ResultWriter.Write(writer, [result], format);
            return writer.ToString();
        }
        catch (IoBenchException)
        {
            return null;
        }
    }
}
