function ConvertTo-IoParameterName {
    <# The engine's messages name options as the iobench program writes them (--block-size); here they are parameters (-BlockSize). #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory)]
        [AllowEmptyString()]
        [string] $Text
    )

    $short = @{
        size = 'FileSize'; block = 'BlockSize'; threads = 'ThreadCount'; outstanding = 'OutstandingIO'; qd = 'OutstandingIO'
        write = 'WritePercent'; pattern = 'AccessPattern'; warmup = 'WarmUp'; idle = 'IdleSeconds'; 'outstanding-io' = 'OutstandingIO'
    }
    [regex]::Replace($Text, '(?<=^|[\s(''"])--(?<name>[a-z]+(-[a-z]+)*)', {
            param($match)
            $name = $match.Groups['name'].Value
            '-' + ($short.ContainsKey($name) ? $short[$name] : [string]::Concat(($name -split '-').ForEach({ $_.Substring(0, 1).ToUpperInvariant() + $_.Substring(1) })))
        })
}
