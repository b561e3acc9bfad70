using System.Collections;
using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class StorageSpecificationTests
{
    [Theory]
    [InlineData("IOPS = 2300; Throughput = '150 MB/s'", 2300.0, 150e6)]
    [InlineData("iops=2300;throughput=143 MiB/s", 2300.0, 143.0 * 1048576)]
    [InlineData("Throughput: \"1.2GB/s\"", null, 1.2e9)]
    [InlineData("IOPS = 2300 IOPS", 2300.0, null)]
    public void Specification_is_parsed_from_text(string text, double? iops, double? bytes)
    {
        var specification = StorageSpecification.Parse(text);
        Assert.Equal(iops, specification.Iops);
        Assert.Equal(bytes, specification.BytesPerSecond);
    }

    [Fact]
    public void Specification_is_parsed_from_a_hashtable() =>
        Assert.Equal(
            new StorageSpecification
            {
                Iops = 2300,
                BytesPerSecond = 150e6,
                BurstIops = 3500,
                BurstBytesPerSecond = 170e6,
                LatencyMs = 1,
            },
            StorageSpecification.Parse(
                new Hashtable
                {
                    ["IOPS"] = 2300,
                    ["Throughput"] = "150 MB/s",
                    ["BurstIOPS"] = 3500.0,
                    ["BurstThroughput"] = "170MB/s",
                    ["LatencyMs"] = "1",
                }
            )
        );

    [Theory]
    [InlineData("Throughput = 150", "has no unit. Use '150 MB/s'")]
    [InlineData("Throughput = 150 MB", "is not a throughput")]
    [InlineData("Throughput = 150 IOPS", "is not a throughput")]
    [InlineData("IOPS = fast", "IOPS 'fast' is not a number greater than 0")]
    [InlineData("IOPS = -5", "not a number greater than 0")]
    [InlineData("Iops = 1; IOPS = 2", "specified twice")]
    [InlineData("Speed = 5", "'Speed' is not one of IOPS")]
    [InlineData("2300", "'2300' is not of the form NAME = VALUE")]
    [InlineData("", "it contains no value")]
    public void Ambiguous_specification_throws(string text, string message)
    {
        var error = Assert.Throws<IoBenchException>(() => StorageSpecification.Parse(text));
        Assert.Equal("IoBench.InvalidSpecification", error.ErrorId);
        Assert.Contains(message, error.Message);
    }

    [Fact]
    public void Hashtable_throughput_without_a_unit_throws() =>
        Assert.Contains(
            "has no unit",
            Assert.Throws<IoBenchException>(() => StorageSpecification.Parse(new Hashtable { ["Throughput"] = 150 })).Message
        );
}
