function New-IoTestFile {
    [CmdletBinding(DefaultParameterSetName = 'Path', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType([System.IO.FileInfo])]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'Path', ValueFromPipeline, ValueFromPipelineByPropertyName)]
        [string[]] $Path,

        [Parameter(Mandatory, ParameterSetName = 'LiteralPath', ValueFromPipelineByPropertyName)]
        [Alias('PSPath', 'FullName')]
        [string[]] $LiteralPath,

        [Parameter(Position = 1, ValueFromPipelineByPropertyName)]
        [ArgumentCompletions('256MB', '1GB', '20GB', '100GB')]
        [IoBench.Engine.IoSize] $FileSize,

        [ulong] $Seed,

        [switch] $Force
    )

    begin {
        $answer = @{}
    }

    process {
        foreach ($item in Resolve-IoPath -Path $Path -LiteralPath $LiteralPath -AllowMissing -Cmdlet $PSCmdlet) {
            $specification = [IoBench.Engine.IoTestSpecification]::new()
            # A file for any test: one that will be written to is refused where a reading one would pass.
            $specification.WritePercent = 100
            if ($PSBoundParameters.ContainsKey('FileSize')) { $specification.FileSize = $FileSize.Bytes }
            $specification.Seed = $Seed
            $target = [IoBench.Engine.IoTargetSpecification]::new($item)
            $specification.Targets.Add($target)
            $approved = @{}
            $checked = Test-IoTarget -Specification $specification -Target $target -Force:$Force -Approved $approved -Cmdlet $PSCmdlet
            if ($null -eq $checked -or -not (Confirm-IoVolume -Prepared $checked -Force:$Force -Answer $answer -Cmdlet $PSCmdlet)) {
                continue
            }
            $size = [IoBench.Engine.IoSize]::new($checked.Size).ToDisplayString()
            if (-not $PSCmdlet.ShouldProcess($checked.Path, "make a test file of $size")) {
                continue
            }
            $made = New-IoFile -Specification $specification -Target $target -Options (Get-IoRunOption -Path $target.Path -Force:$Force -Approved $approved)
            if ($made.Error) {
                $PSCmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $made.Error -TargetObject $item))
            } else {
                Get-Item -LiteralPath $made.Value.Path
            }
        }
    }
}
