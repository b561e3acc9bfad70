function Import-IoResult {
    [CmdletBinding(DefaultParameterSetName = 'Path')]
    [OutputType([IoBench.Engine.IoTestResult])]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'Path', ValueFromPipeline, ValueFromPipelineByPropertyName)]
        [SupportsWildcards()]
        [string[]] $Path,

        [Parameter(Mandatory, ParameterSetName = 'LiteralPath', ValueFromPipelineByPropertyName)]
        [Alias('PSPath', 'FullName')]
        [string[]] $LiteralPath,

        [switch] $Recurse,

        [string] $Label,

        [ValidateSet('FileName', 'Folder')]
        [string] $LabelFrom
    )

    process {
        $resolved = @(Resolve-IoPath -Path $Path -LiteralPath $LiteralPath -Cmdlet $PSCmdlet)
        if ($resolved.Count -eq 0) { return }
        $import = @{
            File = @(Expand-IoResultFolder -Path $resolved -Recurse:$Recurse -Cmdlet $PSCmdlet)
            Label = $Label
            LabelFrom = $LabelFrom
            Cmdlet = $PSCmdlet
        }
        Import-IoResultFile @import
    }
}
